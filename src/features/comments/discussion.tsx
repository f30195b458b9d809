import { COMMENT_MESSAGES } from "@server/contract/messages/comments";
import type { Subject } from "@server/contract/subjects";
import type { Comment, CommentPage, Person, Project } from "@server/contract/views";
import { type ReactNode, useMemo, useRef, useState } from "react";
import { useMe } from "@/features/auth/use-auth";
import { useAttention } from "@/features/chat/use-presence";
import { cn } from "@/lib/cn";
import { useUnsent } from "@/lib/outbox";
import { nextPageOf, type PagedItems } from "@/lib/paged-list";
import { useNextFocus } from "@/lib/use-next-focus";
import { rowMark, useRowFocus } from "@/lib/use-row-focus";
import { messageOf } from "@/lib/user-message";
import { announce } from "@/ui/announce";
import { Button } from "@/ui/button";
import { ConfirmDialog } from "@/ui/confirm-dialog";
import { Delayed } from "@/ui/delayed";
import { ErrorState } from "@/ui/error-state";
import { Skeleton } from "@/ui/skeleton";
import { UnsentText } from "@/ui/unsent-text";
import { type TimelineEntry, type TimelineRow, timelineOf, withPeople } from "./comment-cache";
import { CommentComposer, type CommentComposerHandle } from "./comment-composer";
import { commentDraftKey } from "./comment-draft";
import { CommentRow, NewLine, UnsentRow, VisibilityChip } from "./comment-row";
import { commentOutbox, subjectKey, type UnsentComment } from "./outbox";
import { useComments, useDeleteComment, useLiveComments, useMarkRead } from "./use-comments";
import { useCommentOutbox } from "./use-outbox";

// Loaded when something waits to be sent: a chunk of its own would be tiny.
export { commentDelivery } from "./use-outbox";

export type DiscussionProps = {
  subject: Subject;
  project: Pick<Project, "id" | "clientCollaboration">;
  /** The client whose portal an admin views: read-only, and not live. */
  asClientId?: string | undefined;
  /** What else happened, shown between the comments by time. */
  entries?: readonly TimelineEntry<ReactNode>[] | undefined;
  /** Entries from further back, loaded together with older comments; the `label` is what the button for both says after "Show". */
  earlier?: Earlier | undefined;
  /** Such as sticking it to the end of what scrolls. */
  composerClassName?: string | undefined;
};

type Earlier = Pick<PagedItems<unknown>, "more" | "isLoadingMore" | "hasFailedMore"> & { label: string };

const COMMENTS_ONLY: Earlier = { more: null, isLoadingMore: false, hasFailedMore: false, label: "older comments" };
const NO_ENTRIES: readonly TimelineEntry<ReactNode>[] = [];

/** The comments on a task or a project, and the composer for whoever may write there. */
export function Discussion({
  subject,
  project,
  asClientId,
  entries = NO_ENTRIES,
  earlier = COMMENTS_ONLY,
  composerClassName,
}: DiscussionProps) {
  const me = useMe();
  const query = useComments({ subject, asClientId });
  const outbox = useCommentOutbox(me.id);
  const composer = useRef<CommentComposerHandle>(null);
  const closed = useRef<HTMLParagraphElement>(null);
  const { comments, newest } = query;
  const isWriter = asClientId === undefined && (me.accountType !== "client" || project.clientCollaboration);
  function editUnsent(comment: UnsentComment): void {
    composer.current?.takeBack(comment);
    outbox.remove(comment.clientCommentId);
  }
  return (
    // Its own block: a composer that sticks to the window's end never rises over the heading before it. What takes the
    // focus stays above it (`scroll-mb`).
    <div>
      <Delayed
        pending={comments === undefined && query.isPending}
        label="Loading comments"
        skeleton={<CommentsSkeleton />}
      >
        {() =>
          comments && newest ? (
            <Comments
              subject={subject}
              query={query}
              comments={comments}
              newest={newest}
              entries={entries}
              earlier={earlier}
              isLive={asClientId === undefined}
              isWriter={isWriter}
              outbox={outbox}
              onEditUnsent={editUnsent}
            />
          ) : (
            <ErrorState
              className="py-6"
              message={messageOf(query.error)}
              busy={query.isFetching}
              onRetry={() => void query.refetch()}
            />
          )
        }
      </Delayed>
      {isWriter ? (
        <CommentComposer
          ref={composer}
          subject={subject}
          projectId={project.id}
          comments={comments ?? []}
          hasShownClient={newest?.hasShownClient ?? false}
          className={cn("mt-3", composerClassName)}
        />
      ) : (
        asClientId === undefined && (
          <>
            <p ref={closed} tabIndex={-1} className="mt-3 text-dense text-ink2 outline-none">
              {COMMENT_MESSAGES.collaborationOff}
            </p>
            <UnsentText
              draftKeys={[commentDraftKey(me.id, subject)]}
              hint={COMMENT_MESSAGES.typedWhenOff}
              nextFocus={closed}
              className="mt-3"
            />
          </>
        )
      )}
    </div>
  );
}

type CommentsProps = {
  subject: Subject;
  query: ReturnType<typeof useComments>;
  comments: readonly Comment[];
  newest: CommentPage;
  entries: readonly TimelineEntry<ReactNode>[];
  earlier: Earlier;
  isLive: boolean;
  isWriter: boolean;
  outbox: ReturnType<typeof useCommentOutbox>;
  onEditUnsent: (comment: UnsentComment) => void;
};

function Comments(props: CommentsProps) {
  const { subject, query, comments, newest, entries, isLive, isWriter, outbox, onEditUnsent, earlier } = props;
  const me = useMe();
  const list = useRef<HTMLOListElement>(null);
  const allUnsent = useUnsent(commentOutbox, me.id);
  const isAttentive = useAttention();
  // Fixed until this unmounts: the line stays where it was.
  const [readUpToSeq] = useState(newest.readUpToSeq);
  const [deleting, setDeleting] = useState<Comment | null>(null);
  const [people, setPeople] = useState<ReadonlyMap<string, Person>>(new Map());
  const remove = useDeleteComment(subject);
  useMarkRead({ subject, comments, newest, ownId: me.id, isSeen: isLive && isAttentive });
  const rows = useMemo(() => {
    const unsent = isLive ? allUnsent.filter((one) => subjectKey(one.subject) === subjectKey(subject)) : [];
    return timelineOf({
      comments: withPeople(comments, people),
      unsent,
      entries,
      hasOlder: query.hasNextPage,
      readUpToSeq: isLive ? readUpToSeq : null,
      ownId: me.id,
    });
  }, [comments, people, allUnsent, entries, query.hasNextPage, isLive, readUpToSeq, me.id, subject]);
  const finalFocus = useRowFocus(list, { rows });
  const older = nextPageOf(query);
  const hasOlder = Boolean(older ?? earlier.more);
  useNextFocus(hasOlder, list);
  const chipOf = ({ visibility }: { visibility: Comment["visibility"] }) =>
    isLive && me.accountType !== "client" ? <VisibilityChip visibility={visibility} /> : null;

  function show(row: TimelineRow<ReactNode>): ReactNode {
    if (row.kind === "entry") return row.entry.content;
    const chip = chipOf(row.comment);
    if (row.kind === "unsent")
      return (
        <UnsentRow
          comment={row.comment}
          chip={chip}
          onRetry={outbox.retry}
          onDelete={outbox.remove}
          onEdit={isWriter ? onEditUnsent : undefined}
        />
      );
    return (
      <>
        {row.isFirstNew && <NewLine />}
        <CommentRow comment={row.comment} chip={chip} canWrite={isWriter} onDelete={setDeleting} />
      </>
    );
  }
  return (
    <>
      {isLive && (
        <Live
          subject={subject}
          lastEventId={newest.lastEventId}
          ownId={me.id}
          onPeople={(others) =>
            setPeople((known) => new Map([...known, ...others.map((one) => [one.id, one] as const)]))
          }
        />
      )}
      {hasOlder && (
        <Button
          size="sm"
          busy={query.isFetchingNextPage || earlier.isLoadingMore}
          busyLabel="Loading..."
          onClick={() => {
            void older?.();
            earlier.more?.();
          }}
          className="mb-3 scroll-mb-36"
        >
          {query.isFetchNextPageError || earlier.hasFailedMore
            ? `Load ${earlier.label} again`
            : `Show ${earlier.label}`}
        </Button>
      )}
      {rows.length === 0 && <p className="text-ink2">{COMMENT_MESSAGES.empty}</p>}
      <ol ref={list} tabIndex={-1} aria-label="Comments" className="grid gap-4 outline-none **:scroll-mb-36">
        {rows.map((row) => (
          <li key={row.key} {...rowMark(row.key)} className="min-w-0">
            {show(row)}
          </li>
        ))}
      </ol>
      <ConfirmDialog
        open={deleting !== null}
        onOpenChange={(open) => !open && setDeleting(null)}
        title="Delete comment"
        question={COMMENT_MESSAGES.confirmDelete}
        confirmLabel="Delete"
        finalFocus={finalFocus}
        onConfirm={() => {
          if (deleting) remove(deleting);
          setDeleting(null);
        }}
      />
    </>
  );
}

type LiveProps = Pick<Parameters<typeof useLiveComments>[0], "subject" | "lastEventId" | "onPeople"> & {
  ownId: string;
};

/** Follows the discussion, and announces what others write. Mounted once there is a page to go on from. */
function Live({ ownId, ...following }: LiveProps) {
  useLiveComments({
    ...following,
    onCreated({ authorId, author }) {
      if (authorId !== ownId) announce(`New comment of ${author.name}`);
    },
  });
  return null;
}

function CommentsSkeleton() {
  return (
    <div className="flex items-start gap-2.5">
      <Skeleton className="size-7 rounded-[9px]" />
      <div className="min-w-0 flex-1">
        <Skeleton className="h-4 w-1/3" />
        <Skeleton className="mt-2 h-4 w-2/3" />
      </div>
    </div>
  );
}
