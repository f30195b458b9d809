import type { FindingKind, LiveLinkError } from "@db/client-enums";

/** What a manager may want to look at. Nothing follows from it by itself, and it goes by itself. */
export interface Finding {
  projectId: string;
  /** Null for one of the project itself. */
  taskId: string | null;
  kind: FindingKind;
  /** Since when it is so: of the last commit, the first one after the completion, the last answer. */
  since: string;
  /**
   * Of `no-commits` the days, of `commits-after-completion` the commits, of `due-soon` the open tasks; else null.
   */
  count: number | null;
  project: { id: string; key: string; title: string; dueDate: string | null };
  task: { number: number; title: string } | null;
}

/** Whether the live link of a project answers, and what the last checks found. */
export interface LiveLinkPulse {
  url: string;
  /** `failing`: not often enough in a row to call it dead. `refused`: it is no public address, so that nobody asks it. */
  state: "unknown" | "up" | "failing" | "dead" | "refused";
  /** Since when it answers, or does not; null where nobody knows. */
  since: string | null;
  lastCheckedAt: string | null;
  /** Newest first. */
  checks: LiveLinkCheck[];
}

export interface LiveLinkCheck {
  at: string;
  isUp: boolean;
  /** The HTTP status of the answer; null without one. */
  status: number | null;
  /** What prevented an answer. */
  error: LiveLinkError | null;
}

/** Something that findings follow from has changed: they are to be read again. */
export interface FindingsChange {
  type: "changed";
}
