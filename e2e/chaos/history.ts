import type { Visibility } from "@db/enums";
import type {
  CommentDelivered,
  CommentRow,
  DiscussionRead,
  DiscussionRow,
  DiscussionView,
  NotificationRow,
  StreamedView,
} from "./comment-history";
import type { OverviewRead, OverviewRows } from "./overview-history";

/*
 * What a round records: calls and answers, what each screen displayed, and the rows once everything was at rest. Instants are
 * milliseconds since the round began, by one clock.
 */

export type Entry =
  | Operation
  | ThreadDisplay
  | InboxDisplay
  | DiscussionDisplay
  | ConnectionChange
  | Delivered
  | CommentDelivered
  | StreamEnd
  | Fault
  | Capacity
  | AtRest;

export interface History {
  seed: number;
  /** The names of what was done to the servers and connections. */
  faults: readonly string[];
  people: readonly Participant[];
  /** In the order of recording. */
  entries: readonly Entry[];
}

export interface Participant {
  id: string;
  name: string;
  /** Empty for outsiders. */
  partnerIds: readonly string[];
  isClient: boolean;
  isAdmin: boolean;
  /** Takes part in the project whose tasks are discussed. */
  isInProject: boolean;
}

/** One call and its answer. Each attempt to send a message or a comment is an operation of its own, with its key. */
export interface Operation {
  type: "operation";
  tab: string;
  personId: string;
  operation: "send" | "start" | "markRead" | "comment" | "edit" | "delete" | "probe";
  /** The author's key of a message, a new comment; the id of a changed comment; what a probe tried; or the conversation's id. */
  key: string;
  partnerId: string | null;
  taskId: string | null;
  /** Of a new comment. */
  visibility: Visibility | null;
  /** The first line of what was written, which is unique. */
  label: string | null;
  upToSeq: number | null;
  start: number;
  end: number;
  /** "failed": certainly refused; "unknown": no answer, or an inconclusive one. */
  outcome: "ok" | "failed" | "unknown";
  /** The code of the refusal. */
  code: string | null;
  /** The only correct refusal; null if every refusal is wrong. */
  mustFailWith: "NOT_FOUND" | "CONFLICT" | null;
  /** Where the server says it stored it: the conversation or the task, and the number. */
  answer: { placeId: string; seq: number } | null;
}

interface OnScreen {
  tab: string;
  personId: string;
  /** Counts the reloads of the tab. */
  life: number;
  at: number;
}

export interface ThreadDisplay extends OnScreen {
  type: "thread";
  /** Counts the conversations opened in this life of the tab. */
  visit: number;
  thread: ThreadView;
}

export interface InboxDisplay extends OnScreen {
  type: "inbox";
  inbox: readonly InboxLine[];
}

export interface DiscussionDisplay extends OnScreen {
  type: "discussion";
  /** Counts the discussions opened in this life of the tab. */
  visit: number;
  discussion: DiscussionView;
}

/** An open conversation, as far as it is loaded. */
export interface ThreadView {
  partnerId: string;
  conversationId: string | null;
  items: readonly ThreadItem[];
  /** Whether it is loaded up to its first message. */
  isWhole: boolean;
}

/** The number (null until acknowledged), the label and the state of a bubble. */
export type ThreadItem = readonly [seq: number | null, label: string, state: "sending" | "failed" | "sent" | "read"];

export interface InboxLine {
  id: string;
  partnerId: string;
  unread: number;
  lastSeq: number;
  lastLabel: string | null;
}

interface ConnectionChange {
  type: "connection";
  tab: string;
  at: number;
  isOpen: boolean;
}

/** A message that an open conversation's stream delivered. */
export interface Delivered {
  type: "delivered";
  tab: string;
  at: number;
  conversationId: string;
  seq: number;
  /** The number delivered before it, across reconnections; at first the cursor of the subscription. */
  previousSeq: number;
}

/** A stream that ended with an error that is not retried. */
interface StreamEnd {
  type: "stream-end";
  tab: string;
  at: number;
  code: string | null;
}

interface Fault {
  type: "fault";
  name: string;
  at: number;
  phase: "begins" | "healed";
}

/** How many writes a server ran at once when asked for more, and how many connections it has for them. */
interface Capacity {
  type: "capacity";
  at: number;
  serving: number;
  wanted: number;
}

/** Everything was at rest, or the wait timed out: the rows and every screen at that moment. */
export interface AtRest {
  type: "at-rest";
  at: number;
  /** When the last fault had healed and the last message had been written. */
  healedAt: number;
  /** How long after that, or after its own reconnection, a screen may still change. */
  boundMs: number;
  isAtRest: boolean;
  rows: Rows;
  screens: readonly Screen[];
  reads: readonly DiscussionRead[];
  /** "Since you were here" and whose turn it is, as everybody was answered, and the rows to count it again. */
  overviews: { reads: readonly OverviewRead[]; rows: OverviewRows };
}

export interface Screen {
  tab: string;
  personId: string;
  inbox: readonly InboxLine[];
  thread: ThreadView | null;
  /** The badge for all conversations. */
  unreadTotal: number;
  discussion: DiscussionView | null;
  /** The same, made of nothing but the page that its stream began with, and of that stream. */
  streamed: StreamedView | null;
}

export interface Rows {
  /** The newest first. */
  conversations: readonly ConversationRow[];
  /** By conversation and number. */
  messages: readonly MessageRow[];
  discussions: readonly DiscussionRow[];
  comments: readonly CommentRow[];
  /** Of comments. */
  notifications: readonly NotificationRow[];
}

export interface ConversationRow {
  id: string;
  personIds: readonly [string, string];
  lastSeq: number;
  /** By person. */
  readSeqs: Readonly<Record<string, number>>;
  updatedAtMs: number;
}

export interface MessageRow {
  conversationId: string;
  seq: number;
  senderId: string;
  key: string;
  label: string;
}

/** Names a message or a comment on screens and in rows: texts may be long, but their first lines are unique. */
export function labelOf(text: string): string {
  return text.split("\n", 1)[0] ?? "";
}

/** One broken promise. */
export interface Violation {
  kind:
    | "lost"
    | "doubled"
    | "reordered"
    | "changed"
    | "invented"
    | "foreign"
    | "vanished"
    | "refused"
    | "read mark"
    | "tick"
    | "unread"
    | "notified"
    | "capacity"
    | "recount"
    | "late";
  detail: string;
}
