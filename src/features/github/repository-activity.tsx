import { GITHUB_MESSAGES } from "@server/contract/messages/github";
import type { Commit } from "@server/contract/views";
import { GitCommitHorizontal } from "lucide-react";
import { useRef } from "react";
import { useIsDrawing } from "@/lib/drawing";
import type { CalendarDay } from "@/lib/format";
import { rowMark, useRowFocus } from "@/lib/use-row-focus";
import { useToday } from "@/lib/use-today";
import { messageOf } from "@/lib/user-message";
import { Avatar } from "@/ui/avatar";
import { Delayed } from "@/ui/delayed";
import { EmptyState } from "@/ui/empty-state";
import { ErrorState } from "@/ui/error-state";
import { CommitFacts, CommitLink, CommitMessage, CommitSkeletons, CommitTasks } from "./commit-parts";
import { commitKey } from "./commit-text";
import { ProblemsNotice } from "./feed-notices";
import { useCommitChanges, useCommits } from "./use-commits";

/**
 * A client's "Repository Activity": the newest commits of their projects' repositories, also for an admin who views the page
 * as that client. Spec 2 and 8, design 3.9.
 */
export function RepositoryActivity({ asClientId }: { asClientId?: string | undefined }) {
  const { data: feed, error, isPending, isFetching, refetch } = useCommits({ asClientId });
  const isDrawing = useIsDrawing();
  useCommitChanges();
  const section = useRef<HTMLDivElement>(null);
  useRowFocus(section, { rows: feed });
  const isFirstReading = feed !== undefined && feed.items.length === 0 && feed.refreshing > 0;
  return (
    <div ref={section}>
      <Delayed
        pending={isPending || isFirstReading || isDrawing}
        label="Loading repository activity"
        skeleton={<CommitSkeletons count={5} className="h-[62px]" />}
      >
        {() => {
          if (!feed) {
            return (
              <ErrorState
                message={GITHUB_MESSAGES.loadFailed(messageOf(error))}
                busy={isFetching}
                onRetry={() => void refetch()}
              />
            );
          }
          if (feed.repositories === 0) {
            return <EmptyState icon={GitCommitHorizontal} message={GITHUB_MESSAGES.noRepositories} />;
          }
          return (
            <>
              <ProblemsNotice problems={feed.problems} />
              {feed.items.length === 0 ? (
                <EmptyState icon={GitCommitHorizontal} message={GITHUB_MESSAGES.noCommitsForClient} />
              ) : (
                <Timeline commits={feed.items} />
              )}
            </>
          );
        }}
      </Delayed>
    </div>
  );
}

function Timeline({ commits }: { commits: readonly Commit[] }) {
  const now = useToday();
  return (
    <ol aria-label="Repository Activity">
      {commits.map((commit) => (
        <TimelineCommit key={commitKey(commit)} commit={commit} now={now} />
      ))}
    </ol>
  );
}

/** A commit on the timeline. */
function TimelineCommit({ commit, now }: { commit: Commit; now: CalendarDay }) {
  return (
    <li {...rowMark(commitKey(commit))} className="group flex gap-3.5">
      <div className="flex flex-col items-center">
        <Avatar name={commit.commit.author.name} src={commit.author?.avatar_url} size={34} />
        <span aria-hidden="true" className="my-1 w-0.5 flex-1 rounded-pill bg-brand/55 group-last:hidden" />
      </div>
      <div className="flex min-w-0 flex-1 flex-wrap gap-x-6 pb-5 group-last:pb-0 sm:flex-nowrap sm:items-start">
        <div className="min-w-0 flex-1 basis-full sm:basis-0">
          <CommitMessage message={commit.commit.message} title="cut" />
          <CommitFacts commit={commit} now={now} />
          <CommitTasks commit={commit} />
        </div>
        <CommitLink commit={commit} />
      </div>
    </li>
  );
}
