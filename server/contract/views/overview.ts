import type { ChangeKind } from "../overview";
import type { Person } from "./people";
import type { Turn } from "./turns";

/** How many, and which. */
export interface ChangeCount {
  count: number;
  /** Newest first, at most 500: of tasks, of what has a date (tasks and projects), hashes of commits, of messages. */
  ids: string[];
}

/** What others have done since the caller was here, of what the caller may see. */
export interface SinceLastVisit extends Record<Exclude<ChangeKind, "commits">, ChangeCount> {
  /** Up to when the caller has seen everything; the moment of the call on a first visit. */
  since: string;
  /** The moment of this answer: what to mark as seen. */
  upTo: string;
  /** Null for users, who get no commits. To a client whose project shows counts only, `count` is more than there are ids. */
  commits: ChangeCount | null;
}

/** One thing that "since you were here" counts. */
export interface Change {
  id: string;
  /** Of the task, the project or the commit; the beginning of a message. */
  title: string;
  at: string;
  project: { id: string; key: string; title: string } | null;
  /** The number of the task in its project. */
  taskNumber: number | null;
  /** Due dates before and now; null where there is none. */
  from: string | null;
  to: string | null;
  conversationId: string | null;
  /** Where the commit stands. */
  htmlUrl: string | null;
  /** Who wrote the commit or the message. */
  author: string | null;
}

export interface ChangeList {
  /** Newest first, at most 500. */
  items: Change[];
  /** Commits of projects that show their client no more than how many. */
  counts: { project: { id: string; key: string; title: string }; count: number }[];
  /** Exactly how many there are, listed or not; a commit of several projects is one. */
  count: number;
}

/** Something of a client's that waits for the firm. */
export interface WaitingItem extends Pick<Turn, "businessMinutes" | "businessDays" | "clock"> {
  subject: { conversationId: string } | { requestId: string } | { signOffId: string };
  /** Of the request; the beginning of the first message that was not answered, or of what is to be changed before a sign-off. */
  title: string;
  client: Person;
  project: { id: string; key: string; title: string } | null;
  since: string;
  /** By when the firm has promised to answer; null of changes that a client wants. */
  answerBy: string | null;
}

/** How long clients waited for the first answer to what they wrote, of the answers of one month. */
export interface ReplyTimes {
  /** `YYYY-MM`, by the organisation's clock. */
  month: string;
  answers: number;
  /** In business time. */
  medianMinutes: number;
  medianDays: number;
}
