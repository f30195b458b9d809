import type { Comment } from "@server/contract/views";
import type { QueryClient } from "@tanstack/react-query";
import { allComments, receiveComment, timelineOf } from "@/features/comments/comment-cache";
import type { UnsentComment } from "@/features/comments/outbox";
import type { ChatClient } from "./browser-client";
import type { CommentItem, DiscussionView, StreamedView } from "./comment-history";
import { labelOf, type Operation } from "./history";
import type { Journal } from "./journal";
import { itemOf, type OpenDiscussion, openDiscussion } from "./open-discussion";
import { attempt, createDelivery, type Outbox, type Sending } from "./outbox";

/** The comments on tasks, as the task page shows them over any page: of one task at a time. */
export interface Discussions {
  open(taskId: string | null): void;
  openTask(): string | null;
  write(comment: UnsentComment): void;
  /** One recorded attempt, past the outbox. */
  attempt(comment: UnsentComment, mustFailWith?: Operation["mustFailWith"]): Promise<unknown>;
  /** Gives one's own comment another text. */
  edit(comment: Comment, text: string): Promise<void>;
  remove(comment: Comment): Promise<void>;
  retryLost(): void;
  readOlder(): Promise<void>;
  /** Of the open task, by number; none until they have been read. */
  comments(): readonly Comment[];
  view(): DiscussionView | null;
  streamed(): StreamedView | null;
  /** Counts the discussions opened. */
  visits(): number;
  isAtRest(): boolean;
  /** Call it when something may have changed. */
  sync(): void;
  leave(): void;
}

interface DiscussionsOptions {
  ownId: string;
  client: ChatClient;
  queryClient: QueryClient;
  outbox: Outbox<UnsentComment>;
  journal: Journal;
  signal: AbortSignal;
  onChange(): void;
}

export function createDiscussions(options: DiscussionsOptions): Discussions {
  const { ownId, client, queryClient, outbox, journal, signal, onChange } = options;
  /** By task, for the life of the page. */
  const received = new Map<string, readonly Comment[]>();
  let opened: OpenDiscussion | null = null;
  let visits = 0;

  function put(comment: Comment): void {
    const taskId = comment.taskId ?? "";
    const known = received.get(taskId) ?? [];
    const next = receiveComment(known, comment);
    if (next === known) return;
    received.set(taskId, next);
    onChange();
  }
  const sending = sendingOf({ client, journal });
  const delivery = createDelivery({ outbox, sending, signal, onStored: put, onChange });
  const comments = () => {
    const pages = opened?.pages();
    return opened && pages ? allComments(pages, received.get(opened.taskId) ?? []) : [];
  };
  return {
    open(taskId) {
      if (taskId === (opened?.taskId ?? null)) return;
      opened?.leave();
      visits += 1;
      opened =
        taskId === null ? null : openDiscussion({ taskId, client, queryClient, onReceived: put, onChange, journal });
      onChange();
    },
    openTask: () => opened?.taskId ?? null,
    write: delivery.send,
    attempt: (comment, mustFailWith) => attempt(comment, sending, mustFailWith),
    edit: ({ id }, text) =>
      journal.note({ operation: "edit", key: id, label: labelOf(text) }, async () =>
        put(await client.comments.update.mutate({ commentId: id, text })),
      ),
    remove: (comment) =>
      journal.note({ operation: "delete", key: comment.id }, async () => {
        await client.comments.delete.mutate({ commentId: comment.id });
        put({ ...comment, text: "", mentions: [], files: [], deletedAt: new Date().toISOString() });
      }),
    retryLost: delivery.retryLost,
    readOlder: async () => opened?.readOlder(),
    comments,
    view() {
      if (!opened) return null;
      const { taskId } = opened;
      const unsent = outbox.entries().filter(({ subject }) => taskOf(subject) === taskId);
      const rows = timelineOf<never>({
        comments: comments(),
        unsent,
        entries: [],
        hasOlder: !opened.isWhole(),
        readUpToSeq: null,
        ownId,
      });
      return { taskId, items: rows.flatMap(shownOf), isWhole: opened.isWhole() };
    },
    streamed: () => opened?.streamed() ?? null,
    visits: () => visits,
    isAtRest: () => opened?.isAtRest() !== false,
    sync: () => opened?.sync(),
    leave: () => opened?.leave(),
  };
}

function sendingOf({
  client,
  journal,
}: Pick<DiscussionsOptions, "client" | "journal">): Sending<UnsentComment, Comment> {
  return {
    post: ({ clientCommentId, subject, text, visibility }) =>
      client.comments.create.mutate({ clientCommentId, subject, text, visibility }),
    askedOf: ({ clientCommentId, subject, text, visibility }) => ({
      operation: "comment",
      key: clientCommentId,
      taskId: taskOf(subject),
      label: labelOf(text),
      visibility,
    }),
    answerOf: ({ taskId, seq }) => ({ placeId: taskId ?? "", seq }),
    journal,
  };
}

function taskOf(subject: UnsentComment["subject"]): string | null {
  return "taskId" in subject ? subject.taskId : null;
}

function shownOf(row: ReturnType<typeof timelineOf<never>>[number]): CommentItem[] {
  if (row.kind === "comment") return [itemOf(row.comment)];
  if (row.kind === "entry") return [];
  const { clientCommentId, text, visibility } = row.comment;
  return [{ seq: null, id: clientCommentId, label: labelOf(text), visibility }];
}
