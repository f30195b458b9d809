import { GITHUB_MESSAGES } from "@server/contract/messages/github";
import type { Commit, CommitFeed } from "@server/contract/views";
import { GitCommitHorizontal } from "lucide-react";
import { useRef } from "react";
import { useIsDrawing } from "@/lib/drawing";
import { type CalendarDay, formatDay } from "@/lib/format";
import { rowMark, useRowFocus } from "@/lib/use-row-focus";
import { useToday } from "@/lib/use-today";
import { messageOf } from "@/lib/user-message";
import { Avatar } from "@/ui/avatar";
import { Delayed } from "@/ui/delayed";
import { EmptyState } from "@/ui/empty-state";
import { ErrorState } from "@/ui/error-state";
import { type CommitGroup, commitGroups, describeGroup } from "./commit-groups";
import { CommitAuthor, CommitLink, CommitMessage, CommitSkeletons, CommitTasks, DottedLine } from "./commit-parts";
import { commitKey } from "./commit-text";
import { ProblemsNotice } from "./feed-notices";
import { useCommitChanges, useCommits } from "./use-commits";

type RepositoryActivityProps = {
  asClientId?: string | undefined;
  /** Names the projects that show counts only. */
  titleOf: (projectId: string) => string | undefined;
};

/**
 * A client's "Repository Activity": the newest commits of their projects' repositories by day and task, also for an admin who
 * views the page as that client; nothing, not even a heading, where all their projects hide their commits. Spec 2 and 8, design 3.9.
 */
export function RepositoryActivity({ asClientId, titleOf }: RepositoryActivityProps) {
  const { data: feed, error, isPending, isFetching, refetch } = useCommits({ asClientId });
  const isDrawing = useIsDrawing();
  useCommitChanges();
  const section = useRef<HTMLDivElement>(null);
  useRowFocus(section, { rows: feed });
  const isEmpty = feed !== undefined && feed.items.length === 0 && feed.counts.length === 0;
  if (isEmpty && feed.repositories === 0 && feed.hiddenProjects > 0) return null;
  return (
    <>
      <h2 className="mt-8 mb-3 text-h3">Repository Activity</h2>
      <div ref={section}>
        <Delayed
          pending={isPending || (isEmpty && feed.refreshing > 0) || isDrawing}
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
                {isEmpty ? (
                  <EmptyState icon={GitCommitHorizontal} message={GITHUB_MESSAGES.noCommitsForClient} />
                ) : (
                  <Timeline feed={feed} titleOf={titleOf} />
                )}
              </>
            );
          }}
        </Delayed>
      </div>
    </>
  );
}

function Timeline({ feed, titleOf }: { feed: CommitFeed; titleOf: RepositoryActivityProps["titleOf"] }) {
  const now = useToday();
  return (
    <ol aria-label="Repository Activity">
      {commitGroups(feed, titleOf).map((group) => (
        <TimelineGroup key={group.key} group={group} now={now} />
      ))}
    </ol>
  );
}

/** "Login page: 4 changes, finished", and the commits behind it where the project shows them. */
function TimelineGroup({ group, now }: { group: CommitGroup; now: CalendarDay }) {
  const { day, project, task, commits } = group;
  const { name, rest } = describeGroup(group);
  const [newest] = commits;
  return (
    <li className="group flex gap-3.5">
      <div className="flex flex-col items-center">
        {newest ? (
          <Avatar name={newest.commit.author.name} src={newest.author?.avatar_url} size={34} />
        ) : (
          <span className="grid size-[34px] place-items-center rounded-avatar bg-sunken text-ink3">
            <GitCommitHorizontal size={18} />
          </span>
        )}
        <span aria-hidden="true" className="my-1 w-0.5 flex-1 rounded-pill bg-brand/55 group-last:hidden" />
      </div>
      <div className="min-w-0 flex-1 pb-5 group-last:pb-0">
        <h3 className="font-medium font-sans text-reading leading-[22px] tracking-normal [overflow-wrap:anywhere] sm:text-body sm:leading-[21px]">
          <bdi>{name}</bdi>
          {rest}
        </h3>
        <DottedLine>
          {task && <bdi>{project.title}</bdi>}
          <time dateTime={day}>{day === now ? "Today" : formatDay(day)}</time>
        </DottedLine>
        {commits.length > 0 && (
          <ul className="mt-1 grid gap-1.5">
            {commits.map((commit) => (
              <TimelineCommit key={commitKey(commit)} commit={commit} taskId={task?.id} />
            ))}
          </ul>
        )}
      </div>
    </li>
  );
}

/** A commit of a group, with the tasks that it names besides the group's own. */
function TimelineCommit({ commit, taskId }: { commit: Commit; taskId: string | undefined }) {
  const others = { ...commit, tasks: commit.tasks.filter(({ id }) => id !== taskId) };
  return (
    <li {...rowMark(commitKey(commit))} className="flex flex-wrap gap-x-6 sm:flex-nowrap sm:items-start">
      <div className="min-w-0 flex-1 basis-full sm:basis-0">
        <CommitMessage
          message={commit.commit.message}
          title="cut"
          details={
            <p className="mt-1 text-ink2 text-meta">
              <code>{commit.repo}</code> <code>{commit.sha}</code>
            </p>
          }
          facts={<CommitAuthor commit={commit} />}
        />
        <CommitTasks commit={others} />
      </div>
      <CommitLink commit={commit} />
    </li>
  );
}
