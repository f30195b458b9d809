import { createFileRoute } from "@tanstack/react-router";
import { Users } from "lucide-react";
import { useMe } from "@/features/auth/use-auth";
import { readSearchText } from "@/features/projects/board-search";
import { PanelLink } from "@/features/projects/project-link";
import { byTeamTab, findPeople } from "@/features/users/team-filter";
import { TeamList, TeamSkeleton } from "@/features/users/team-list";
import { TEAM_TABS, type TeamTab } from "@/features/users/team-tabs";
import { useTeam } from "@/features/users/use-team";
import { requireStaff } from "@/lib/guards";
import { pageHeading } from "@/lib/page-focus";
import { choice, optional, type RawSearch } from "@/lib/search";
import { usePageSearch } from "@/lib/use-page-search";
import { messageOf } from "@/lib/user-message";
import { Button } from "@/ui/button";
import { Delayed } from "@/ui/delayed";
import { EmptyState } from "@/ui/empty-state";
import { ErrorState } from "@/ui/error-state";
import { TabPanel, Tabs } from "@/ui/tabs";

export const Route = createFileRoute("/_app/dashboard/team")({
  validateSearch: (search: RawSearch) =>
    optional({ ...readSearchText(search), team: choice(search.team, TEAM_TABS, "all") }),
  beforeLoad: requireStaff,
  loader: ({ context }) => void context.api.users.team.prefetch(),
  component: TeamPage,
});

const LABELS: Record<TeamTab, string> = { all: "All", team: "Staff", clients: "Clients" };

/** Staff and clients. On this page the header's search box finds people. */
function TeamPage() {
  const me = useMe();
  const [{ q = "", team: tab = "all" }, change] = usePageSearch(Route);
  const team = useTeam();
  const found = team.data && byTeamTab(findPeople(team.data, q));
  return (
    <>
      <h1 tabIndex={-1} className="mb-4 flex min-h-11 items-center text-h1 pointer-fine:min-h-9">
        Team
      </h1>
      <Tabs
        label="People"
        value={tab}
        onValueChange={(next) => change.push({ team: next })}
        tabs={TEAM_TABS.map((value) => ({
          value,
          label: LABELS[value],
          count: found?.[value].length,
          countLabel: found && describePeople(found[value].length),
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
                if (found[value].length === 0) return <NoPeople isSearched={q !== ""} />;
                return <TeamList people={found[value]} caption={LABELS[value]} me={me} link={PanelLink} />;
              }}
            </Delayed>
          </TabPanel>
        ))}
      </Tabs>
    </>
  );
}

function NoPeople({ isSearched }: { isSearched: boolean }) {
  const [, change] = usePageSearch(Route);
  function clear(): void {
    change.replace({ q: undefined });
    // The pressed button disappears.
    pageHeading()?.focus();
  }
  return (
    <EmptyState
      icon={Users}
      message={isSearched ? "Nobody with that name" : "Nobody here yet"}
      action={isSearched && <Button onClick={clear}>Clear search</Button>}
    />
  );
}

function describePeople(count: number): string {
  return `${count} ${count === 1 ? "person" : "people"}`;
}
