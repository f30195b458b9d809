import type { CommentColumns } from "@db/rows";
import type { File, ListedFile } from "./files";
import type { Person } from "./people";

/** A comment as one reader sees it. Deleted, it keeps its place, without text and files. */
export interface Comment
  extends Omit<
    CommentColumns,
    | "discussionId"
    | "seq"
    | "clientSeq"
    | "createdChange"
    | "lastChange"
    | "clientCreatedChange"
    | "clientLastChange"
    | "clientCommentId"
  > {
  projectId: string;
  /** Null: about the project itself. */
  taskId: string | null;
  /** Counts from 1 among those that the reader can see, without a gap: the order that all screens share. */
  seq: number;
  author: Person;
  /** The author's own key; null for others. */
  clientCommentId: string | null;
  files: File[];
}

export interface CommentPage {
  /** Ascending by seq. */
  items: Comment[];
  /** The `before` that brings the page of older ones; null at the beginning. */
  nextCursor: number | null;
  /** Up to which comment the reader has read; 0 for none. */
  readUpToSeq: number;
  /** Whether the reader has written anything in this project that its client can see: asking once whether they mean it is done. */
  hasShownClient: boolean;
  /** Where `comments.onChange` goes on from this page: changes since then are its events. */
  lastEventId: string;
}

/** A change of a discussion, tracked by an id of its own. What comes twice is the same comment as it is now: put it in by id. */
export interface CommentEvent {
  type: "created" | "edited" | "deleted";
  comment: Comment;
}

/** What a discussion's stream brings: changes of comments, and where asked for the files beside them and whom they name. */
export type DiscussionEvent =
  | CommentEvent
  /** All that hang on the task or the project itself. */
  | { type: "files"; files: ListedFile[] }
  /** Authors and mentioned people: first all, then those who have another name or picture. */
  | { type: "people"; people: Person[] };
