import type { Visibility } from "@db/enums";

/* What a round records of the comments on tasks. */

/** An open discussion, as far as it is loaded. */
export interface DiscussionView {
  taskId: string;
  items: readonly CommentItem[];
  /** Whether it is loaded up to its first comment. */
  isWhole: boolean;
}

/** The part of a discussion from that number on, and what has changed before it. */
export interface StreamedView {
  fromSeq: number;
  items: readonly CommentItem[];
}

export interface CommentItem {
  /** By the numbers of the reader's side; null until acknowledged. */
  seq: number | null;
  /** The comment's own, or until it is acknowledged the author's key. */
  id: string;
  /** Empty once it is deleted. */
  label: string;
  visibility: Visibility;
}

/** A change of a comment that an open discussion's stream delivered. */
export interface CommentDelivered extends CommentItem {
  type: "comment-delivered";
  tab: string;
  personId: string;
  at: number;
  taskId: string;
  /** The side and the number of the change. */
  eventId: string;
  /** Of the event delivered before it, across reconnections; at first the cursor of the subscription. */
  previousEventId: string;
}

/** A discussion that somebody read anew, whole, once everything was at rest. */
export interface DiscussionRead {
  tab: string;
  personId: string;
  taskId: string;
  /** Null: it was not answered. */
  items: readonly CommentItem[] | null;
}

export interface DiscussionRow {
  taskId: string;
  lastSeq: number;
  lastClientSeq: number;
}

export interface CommentRow {
  id: string;
  taskId: string;
  seq: number;
  /** Null for the team's. */
  clientSeq: number | null;
  authorId: string;
  key: string;
  /** Empty once it is deleted. */
  label: string;
  visibility: Visibility;
}

export interface NotificationRow {
  userId: string;
  commentId: string;
}
