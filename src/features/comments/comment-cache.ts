import { renameMentions } from "@server/contract/mentions";
import type { Comment, Person } from "@server/contract/views";
import type { UnsentComment } from "./outbox";

/** What stands between the comments, such as a line of the task's history. */
export interface TimelineEntry<Content> {
  key: string;
  /** ISO-8601 UTC. */
  at: string;
  content: Content;
}

export type TimelineRow<Content> =
  | { kind: "comment"; key: string; comment: Comment; isFirstNew: boolean }
  | { kind: "unsent"; key: string; comment: UnsentComment }
  | { kind: "entry"; key: string; entry: TimelineEntry<Content> };

/** Adds a comment that was received, or what has become of it; the same list when that is known. */
export function receiveComment(received: readonly Comment[], comment: Comment): readonly Comment[] {
  const known = received.find(({ id }) => id === comment.id);
  if (known && laterOf(known, comment) === known) return received;
  return [...received.filter((one) => one !== known), comment];
}

type CommentPages = readonly { items: readonly Comment[]; nextCursor: number | null }[];

/** Pages and received comments by seq, each once and as it is now. Leaves out what the pages do not reach. */
export function allComments(pages: CommentPages, received: readonly Comment[]): Comment[] {
  const oldest = pages.at(-1);
  const lowest = oldest?.nextCursor == null ? 0 : (oldest.items[0]?.seq ?? 0);
  const byId = new Map<string, Comment>();
  for (const comment of [...pages.flatMap(({ items }) => items), ...received]) {
    if (comment.seq < lowest) continue;
    const known = byId.get(comment.id);
    byId.set(comment.id, known ? laterOf(known, comment) : comment);
  }
  return [...byId.values()].sort((one, other) => one.seq - other.seq);
}

/** Comments with the present names and pictures of their authors and of whom they mention. */
export function withPeople(comments: readonly Comment[], people: ReadonlyMap<string, Person>): readonly Comment[] {
  if (people.size === 0) return comments;
  return comments.map((comment) => {
    const author = people.get(comment.author.id) ?? comment.author;
    const isOther = comment.mentions.some((id) => people.has(id));
    const text = isOther ? renameMentions(comment.text, (id, name) => people.get(id)?.name ?? name) : comment.text;
    // What has not changed stays the same object, and is not drawn again.
    return author === comment.author && text === comment.text ? comment : { ...comment, author, text };
  });
}

type TimelineParts<Content> = {
  /** By seq. */
  comments: readonly Comment[];
  unsent: readonly UnsentComment[];
  /** In any order. */
  entries: readonly TimelineEntry<Content>[];
  /** Older comments are not loaded: entries from before the oldest loaded one stay away until they are. */
  hasOlder: boolean;
  /** Up to which comment the reader had read when the discussion was opened; null where that does not count. */
  readUpToSeq: number | null;
  ownId: string;
};

/** Comments in their order, entries between them by time, and at the end what waits to be sent. */
export function timelineOf<Content>(parts: TimelineParts<Content>): TimelineRow<Content>[] {
  const { comments, unsent, hasOlder, readUpToSeq, ownId } = parts;
  const firstNew =
    readUpToSeq === null
      ? undefined
      : comments.find(({ seq, authorId, deletedAt }) => seq > readUpToSeq && authorId !== ownId && deletedAt === null);
  const from = hasOlder ? (comments[0]?.createdAt ?? "") : "";
  const entries = parts.entries.filter(({ at }) => at >= from).sort((one, other) => (one.at < other.at ? -1 : 1));
  const rows: TimelineRow<Content>[] = [];
  let next = 0;
  function addEntriesUntil(at: string | null): void {
    for (let entry = entries[next]; entry && (at === null || entry.at <= at); entry = entries[next]) {
      rows.push({ kind: "entry", key: `entry ${entry.key}`, entry });
      next += 1;
    }
  }
  for (const comment of comments) {
    addEntriesUntil(comment.createdAt);
    rows.push({ kind: "comment", key: keyOf(comment), comment, isFirstNew: comment === firstNew });
  }
  addEntriesUntil(null);
  const acknowledged = new Set(comments.map(({ clientCommentId }) => clientCommentId));
  for (const comment of unsent) {
    if (acknowledged.has(comment.clientCommentId)) continue;
    rows.push({ kind: "unsent", key: comment.clientCommentId, comment });
  }
  return rows;
}

/** The same before and after the acknowledgement. */
function keyOf({ id, clientCommentId }: Comment): string {
  return clientCommentId ?? id;
}

/** A deletion is the last change; before it, edits follow one another. */
function laterOf(known: Comment, other: Comment): Comment {
  if (known.deletedAt !== null || other.deletedAt !== null) return known.deletedAt !== null ? known : other;
  return (other.editedAt ?? "") >= (known.editedAt ?? "") ? other : known;
}
