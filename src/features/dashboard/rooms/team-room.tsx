import { Users } from "lucide-react";
import { useState } from "react";
import { useMe } from "@/features/auth/use-auth";
import { byTeamTab, findPeople, TEAM_TABS, type TeamTab } from "@/features/users/team-filter";
import { TeamList, TeamSkeleton } from "@/features/users/team-list";
import { useTeam } from "@/features/users/use-team";
import { messageOf } from "@/lib/user-message";
import { Button } from "@/ui/button";
import { Delayed } from "@/ui/delayed";
import { EmptyState } from "@/ui/empty-state";
import { ErrorState } from "@/ui/error-state";
import { TabPanel, Tabs } from "@/ui/tabs";
import { useBoardNavigation, useBoardSearch } from "../use-board";
import { panelLinkIn } from "./to-panel";

const ToPanel = panelLinkIn("team");
const LABELS: Record<TeamTab, string> = { all: "All", team: "Firm", clients: "Clients" };

/** ?view=team: who works here and for whom. The search box of the header looks for people. */
export function TeamRoom() {
  const me = useMe();
  const { q } = useBoardSearch();
  const team = useTeam();
  const [tab, setTab] = useState<TeamTab>("all");
  const found = team.data && byTeamTab(findPeople(team.data, q));
  return (
    <>
      <h1 tabIndex={-1} className="mb-4 flex min-h-11 items-center text-h1 pointer-fine:min-h-9">
        Team
      </h1>
      <Tabs
        label="People"
        value={tab}
        onValueChange={setTab}
        tabs={TEAM_TABS.map((value) => ({
          value,
          label: LABELS[value],
          count: found?.[value].length,
          countLabel: found && peopleInWords(found[value].length),
        }))}
      >
        {TEAM_TABS.map((value) => (
          <TabPanel key={value} value={value}>
            <Delayed
              pending={team.data === undefined && team.isPending}
              label="Loading people"
              skeleton={<TeamSkeleton />}
            >
              {() => {
                if (!found) {
                  return (
                    <ErrorState
                      message={messageOf(team.error)}
                      busy={team.isFetching}
                      onRetry={() => void team.refetch()}
                    />
                  );
                }
                if (found[value].length === 0) return <Nobody isSearched={q !== ""} />;
                return <TeamList people={found[value]} caption={LABELS[value]} ownId={me.id} link={ToPanel} />;
              }}
            </Delayed>
          </TabPanel>
        ))}
      </Tabs>
    </>
  );
}

function Nobody({ isSearched }: { isSearched: boolean }) {
  const { search } = useBoardNavigation();
  return (
    <EmptyState
      icon={Users}
      message={isSearched ? "Nobody of that name" : "Nobody here yet"}
      action={isSearched && <Button onClick={() => search("")}>Clear search</Button>}
    />
  );
}

function peopleInWords(count: number): string {
  return `${count} ${count === 1 ? "person" : "people"}`;
}
