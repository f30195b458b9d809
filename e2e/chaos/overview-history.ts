import type { ProjectEventKind } from "@db/enums";
import type { Request, SignOff, Turn } from "@server/contract/views";

/* "Since you were here" and whose turn it is, as somebody was answered, and the rows that both are counted from. */

/** What one person was answered; null when no answer came. */
export interface OverviewRead {
  personId: string;
  answer: OverviewAnswer | null;
}

export interface OverviewAnswer {
  since: string;
  /** Ids, in any order; of more than 500 the newest. */
  messages: readonly string[];
  tasksDone: readonly string[];
  datesMoved: readonly string[];
  /** By hash; none for users. */
  commits: readonly string[];
  /** Of all of these. */
  counts: readonly { of: "messages" | "tasksDone" | "datesMoved" | "commits"; count: number }[];
  /** By conversation. */
  turns: readonly { id: string; owes: Turn["owes"]; since: string | null }[];
  /** By sign-off of the project. */
  signOffTurns: readonly { id: string; owes: Turn["owes"]; since: string | null }[];
  /** By request of the project. */
  requestTurns: readonly { id: string; owes: Turn["owes"]; since: string | null }[];
  /** Conversations, and sign-offs and requests of the project, that wait for the firm. */
  waiting: readonly { id: string; since: string }[];
}

/** As they are stored; moments in microseconds. */
export interface OverviewRows {
  visits: readonly { personId: string; seenUpTo: number }[];
  conversations: readonly { id: string; personIds: readonly string[] }[];
  messages: readonly { id: string; conversationId: string; seq: number; senderId: string; kind: string; at: number }[];
  settlements: readonly { conversationId: string; upToSeq: number }[];
  tasks: readonly { id: string; status: string; dueDate: string | null; doneAt: number | null }[];
  projects: readonly { id: string; dueDate: string | null }[];
  /** Of the project's repository, with when they came. */
  commits: readonly { id: string; at: number }[];
  /** Of the project. */
  signOffs: readonly {
    id: string;
    signerId: string;
    status: SignOff["status"];
    askedAt: number;
    decidedAt: number | null;
    /** Whether its client may decide, whether it is completed, and who manages it. */
    project: { isOpen: boolean; isCompleted: boolean; managerIds: readonly string[] };
  }[];
  /** Of the project, with the texts of their threads in the order of writing. */
  requests: readonly {
    id: string;
    status: Request["status"];
    createdAt: number;
    replies: readonly { authorId: string; at: number }[];
    project: { isOpen: boolean; managerIds: readonly string[] };
  }[];
  /** In the order of recording. */
  events: readonly {
    /** A task, or the project. */
    subjectId: string;
    actorId: string;
    kind: ProjectEventKind;
    at: number;
    changes: readonly { field: string; from: unknown; to: unknown }[];
  }[];
}

export const NO_OVERVIEW_ROWS: OverviewRows = {
  visits: [],
  conversations: [],
  messages: [],
  settlements: [],
  tasks: [],
  projects: [],
  commits: [],
  signOffs: [],
  requests: [],
  events: [],
};
