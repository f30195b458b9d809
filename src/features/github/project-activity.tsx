import { GITHUB_MESSAGES } from "@server/contract/messages/github";
import type { CommitFeed, RefreshAnswer } from "@server/contract/views";
import { GitCommitHorizontal, KeyRound, RefreshCw } from "lucide-react";
import { type ComponentType, type ReactNode, useEffect, useRef } from "react";
import { formatInstantInText } from "@/lib/format";
import { useRowFocus } from "@/lib/use-row-focus";
import { useToday } from "@/lib/use-today";
import { messageOf } from "@/lib/user-message";
import { announce } from "@/ui/announce";
import { Button } from "@/ui/button";
import { buttonStyle } from "@/ui/button-style";
import { Delayed } from "@/ui/delayed";
import { EmptyState } from "@/ui/empty-state";
import { ErrorState } from "@/ui/error-state";
import { CommitCards, CommitCardsSkeleton } from "./commit-cards";
import { type Mending, ProblemsNotice, SkippedNotice } from "./feed-notices";
import { useCommitChanges, useCommits, useRefreshActivity } from "./use-commits";

/** A link to the repository token; the page knows its address. */
export type ToToken = ComponentType<{ className?: string; children: ReactNode }>;

/** Postponed repositories have been read by then. */
const ANSWER_SHOWN_MS = 60_000;

type ProjectActivityProps = { mending: Mending; toToken: ToToken };

/** "Project Activity": the commits of every project, by day. Spec 2, Activity tab; design 3.7. */
export function ProjectActivity({ mending, toToken }: ProjectActivityProps) {
  const { data: feed, error, isPending, isFetching, refetch } = useCommits();
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
        <Refresh feed={feed} />
      </div>
      <div ref={section}>
        <Delayed pending={isPending || isFirstReading} label="Loading activity" skeleton={<CommitCardsSkeleton />}>
          {() =>
            feed ? (
              <Feed feed={feed} mending={mending} toToken={toToken} />
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
    </>
  );
}

/** The refresh button and the time of the last update. Busy until every requested repository has been read. */
function Refresh({ feed }: { feed: CommitFeed | undefined }) {
  // Renders again at midnight, when "10:42" becomes a date.
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
    const timer = setTimeout(reset, ANSWER_SHOWN_MS);
    return () => clearTimeout(timer);
  }, [answer, reset]);
  const result = answer ? describeRefresh(answer, feed) : null;
  return (
    // On a phone the text wraps beside the button, so that the button does not move.
    <div className="flex items-start gap-x-4 max-sm:w-full sm:items-center">
      <div className="min-h-9 min-w-0 flex-1 content-center pointer-coarse:min-h-11 text-dense text-ink2">
        <p role="status">{result}</p>
        {!result && feed?.refreshedAt && (
          <p>
            Updated <time dateTime={feed.refreshedAt}>{formatInstantInText(feed.refreshedAt)}</time>
          </p>
        )}
      </div>
      <Button
        className="shrink-0"
        busy={isReading || refresh.isPending}
        busyLabel="Refreshing..."
        icon={<RefreshCw size={16} />}
        onClick={() => refresh.mutate()}
      >
        Refresh Activity
      </Button>
    </div>
  );
}

/** The result of a refresh where the feed does not show it; otherwise null. */
function describeRefresh({ now, later }: RefreshAnswer, feed: CommitFeed | undefined): string | null {
  if (later > 0) return "Read a moment ago; GitHub is asked again within a minute.";
  if (now > 0) return null;
  // Only the demo's links are never read.
  return feed && feed.repositories > 0
    ? "The demo's commits are made up: GitHub is not asked for them."
    : "No project links to a repository on GitHub.";
}

function Feed({ feed, mending, toToken: ToToken }: ProjectActivityProps & { feed: CommitFeed }) {
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
            !tokenConfigured && (
              <ToToken className={buttonStyle()}>
                <KeyRound size={16} />
                Set a repository token
              </ToToken>
            )
          }
        />
      ) : (
        <>
          {!tokenConfigured && (
            <p className="mb-4 flex items-start gap-2.5 text-dense text-ink2">
              <KeyRound size={16} className="mt-px shrink-0 text-ink3" />
              <span>
                Without a token only public repositories are read.{" "}
                <ToToken className={LINK}>Set a repository token</ToToken>
              </span>
            </p>
          )}
          <CommitCards commits={items} />
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
      {kinds.has("auth") && "GitHub may not accept the token any more. "}
      {kinds.has("not-found") && "A private repository is not found unless its owner is listed beside the token. "}
      <ToToken className={LINK}>See the repository token</ToToken>
    </p>
  );
}

const LINK = "text-brand-text underline underline-offset-3";
