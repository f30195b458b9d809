import { GITHUB_MESSAGES } from "@server/contract/messages/github";
import type { CommitFeed, Project, RefreshAnswer } from "@server/contract/views";
import { GitCommitHorizontal, KeyRound, RefreshCw } from "lucide-react";
import { type ComponentType, type ReactNode, useEffect, useRef } from "react";
import type { ToProject } from "@/features/projects/to-project";
import { formatInstantInText } from "@/lib/format";
import { pageHeading } from "@/lib/page-focus";
import { useRowFocus } from "@/lib/use-row-focus";
import { useToday } from "@/lib/use-today";
import { messageOf } from "@/lib/user-message";
import { announce } from "@/ui/announce";
import { Button } from "@/ui/button";
import { buttonStyle } from "@/ui/button-style";
import { Delayed } from "@/ui/delayed";
import { EmptyState } from "@/ui/empty-state";
import { ErrorState } from "@/ui/error-state";
import { Select } from "@/ui/select";
import { CommitCards, CommitCardsSkeleton } from "./commit-cards";
import { type Mending, ProblemsNotice, SkippedNotice } from "./feed-notices";
import { useCommitChanges, useCommits, useRefreshActivity } from "./use-commits";

/** A link to the repository token; the page knows its address. */
export type ToToken = ComponentType<{ className?: string; children: ReactNode }>;

/** The project whose commits are shown, and those to choose from. */
interface ActivityFilter {
  projectId: string | undefined;
  projects: readonly Pick<Project, "id" | "title">[];
  onChange: (projectId: string | undefined) => void;
}

/** Postponed repositories have been read by then. */
const RESULT_SHOWN_MS = 60_000;

type ProjectActivityProps = {
  filter: ActivityFilter;
  mending: Mending;
  toProject: ToProject;
  toToken: ToToken;
  /** Beside the commits, on narrow screens before them. */
  aside: ReactNode;
  /** True while that has no height yet. */
  wait: boolean;
};

/** "Project Activity": the commits of all projects, or of one, by day. Spec 2, Activity tab; design 3.7. */
export function ProjectActivity({ filter, aside, wait, ...links }: ProjectActivityProps) {
  const { data: feed, error, isPending, isFetching, refetch } = useCommits({ projectId: filter.projectId });
  useCommitChanges();
  const section = useRef<HTMLDivElement>(null);
  useRowFocus(section, { rows: feed });
  const isFirstReading = feed !== undefined && feed.items.length === 0 && feed.refreshing > 0;
  return (
    <>
      <div className="mb-4 flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <h1 tabIndex={-1} className="text-h1">
          Project Activity
        </h1>
        <Tools feed={feed} filter={filter} />
      </div>
      <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-6 xl:grid-cols-[minmax(0,1fr)_340px]">
        <div className="xl:order-last">{aside}</div>
        <div ref={section}>
          <Delayed
            pending={wait || isPending || isFirstReading}
            label="Loading activity"
            skeleton={<CommitCardsSkeleton />}
          >
            {() =>
              feed ? (
                <Feed feed={feed} filter={filter} {...links} />
              ) : (
                <ErrorState
                  message={GITHUB_MESSAGES.loadFailed(messageOf(error))}
                  busy={isFetching}
                  onRetry={() => void refetch()}
                />
              )
            }
          </Delayed>
        </div>
      </div>
    </>
  );
}

type ToolsProps = { feed: CommitFeed | undefined; filter: ActivityFilter };

/** When GitHub was last checked, the filter and the refresh button, which is busy until all repositories have been read. */
function Tools({ feed, filter }: ToolsProps) {
  // Renders again at midnight, when "today 10:42" becomes a date.
  useToday();
  const refresh = useRefreshActivity();
  const isReading = (feed?.refreshing ?? 0) > 0;
  const wasReading = useRef(false);
  useEffect(() => {
    if (wasReading.current && !isReading) announce("Activity is up to date");
    wasReading.current = isReading;
  }, [isReading]);
  const { data: answer, reset } = refresh;
  useEffect(() => {
    if (!answer) return undefined;
    const timer = setTimeout(reset, RESULT_SHOWN_MS);
    return () => clearTimeout(timer);
  }, [answer, reset]);
  const result = answer ? describeRefresh(answer, feed) : null;
  return (
    <div className="flex min-w-0 flex-wrap items-center gap-x-3 gap-y-1.5 max-lg:w-full">
      {/* Where there is little room the text comes last, so that a long one does not move the button. */}
      <div className="min-h-[18px] text-dense text-ink2 max-lg:order-last max-sm:w-full">
        <p role="status">{result}</p>
        {!result && feed?.refreshedAt && (
          <p>
            Updated <time dateTime={feed.refreshedAt}>{formatInstantInText(feed.refreshedAt)}</time>
          </p>
        )}
      </div>
      <FilterSelect {...filter} />
      <Button
        className="shrink-0"
        busy={isReading || refresh.isPending}
        busyLabel="Refreshing..."
        icon={<RefreshCw size={16} />}
        onClick={() => refresh.mutate({ projectId: filter.projectId })}
      >
        Refresh Activity
      </Button>
    </div>
  );
}

function FilterSelect({ projectId, projects, onChange }: ActivityFilter) {
  return (
    <Select
      variant="button"
      aria-label="Filter by project"
      value={projectId ?? ""}
      onChange={({ target }) => onChange(target.value || undefined)}
      className="max-sm:flex-1 max-sm:[&>select]:w-full sm:[&>select]:max-w-48"
    >
      <option value="">{ALL_PROJECTS}</option>
      {projects.map(({ id, title }) => (
        <option key={id} value={id}>
          {title}
        </option>
      ))}
    </Select>
  );
}

const ALL_PROJECTS = "All Projects";

/** The result of a refresh where the feed does not show it; otherwise null. */
function describeRefresh({ now, later }: RefreshAnswer, feed: CommitFeed | undefined): string | null {
  if (later > 0) return "Checked a moment ago; we check again within a minute.";
  if (now > 0) return null;
  // Only the demo's links are never read.
  return feed && feed.repositories > 0
    ? "The demo's commits are sample data; there is nothing to refresh."
    : "No project has a GitHub repository.";
}

function Feed({
  feed,
  filter,
  mending,
  toProject,
  toToken: ToToken,
}: Omit<ProjectActivityProps, "aside" | "wait"> & { feed: CommitFeed }) {
  const { items, problems, skipped, tokenConfigured } = feed;
  return (
    <>
      <ProblemsNotice problems={problems} mending={mending}>
        {tokenConfigured && <TokenHint problems={problems} toToken={ToToken} />}
      </ProblemsNotice>
      <SkippedNotice skipped={skipped} onEdit={mending.edit} />
      {items.length === 0 ? (
        <EmptyState
          icon={GitCommitHorizontal}
          message={GITHUB_MESSAGES.noCommits}
          action={
            filter.projectId ? (
              <Button
                onClick={() => {
                  filter.onChange(undefined);
                  // The pressed button disappears.
                  pageHeading()?.focus();
                }}
              >
                {ALL_PROJECTS}
              </Button>
            ) : (
              !tokenConfigured && (
                <ToToken className={buttonStyle()}>
                  <KeyRound size={16} />
                  Set a repository token
                </ToToken>
              )
            )
          }
        />
      ) : (
        <>
          {!tokenConfigured && (
            <p className="mb-4 flex items-start gap-2.5 text-dense text-ink2">
              <KeyRound size={16} className="mt-px shrink-0 text-ink3" />
              <span>
                Without a token, only public repositories are read.{" "}
                <ToToken className={LINK}>Set a repository token</ToToken>
              </span>
            </p>
          )}
          <CommitCards commits={items} toProject={toProject} />
        </>
      )}
    </>
  );
}

type TokenHintProps = Pick<CommitFeed, "problems"> & { toToken: ToToken };

/** How the token may cause the problems. GitHub answers "not found" for a private repository that the caller may not see. */
function TokenHint({ problems, toToken: ToToken }: TokenHintProps) {
  const kinds = new Set(problems.map(({ kind }) => kind));
  if (!kinds.has("auth") && !kinds.has("not-found")) return null;
  return (
    <p className="border-line border-t py-2.5 text-dense text-ink2">
      {kinds.has("auth") && "GitHub may no longer accept the token. "}
      {kinds.has("not-found") && "Private repositories are found only if their owner is listed with the token. "}
      <ToToken className={LINK}>See the repository token</ToToken>
    </p>
  );
}

const LINK = "text-brand-text underline underline-offset-3";
