import type { ProjectEventKind } from "@db/enums";
import type { SignOff, Turn } from "@server/contract/views";

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
  /** Of all of these. */
  counts: readonly { of: "messages" | "tasksDone" | "datesMoved"; count: number }[];
  /** By conversation. */
  turns: readonly { id: string; owes: Turn["owes"]; since: string | null }[];
  /** By sign-off of the project. */
  signOffTurns: readonly { id: string; owes: Turn["owes"]; since: string | null }[];
  /** Conversations, and sign-offs of the project, that wait for the firm. */
  waiting: readonly { id: string; since: string }[];
}

/** As they are stored; moments in microseconds. */
export interface OverviewRows {
  visits: readonly { personId: string; seenUpTo: number }[];
  conversations: readonly { id: string; personIds: readonly string[] }[];
  messages: readonly { id: string; conversationId: string; seq: number; senderId: string; kind: string; at: number }[];
  settlements: readonly { conversationId: string; upToSeq: number }[];
  tasks: readonly { id: string; status: string; dueDate: string | null; doneAt: number | null }[];
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
  /** In the order of recording. */
  events: readonly {
    taskId: string;
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
  signOffs: [],
  events: [],
};
