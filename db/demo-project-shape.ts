import type { CommitMode, PROJECT_HEALTHS } from "./client-enums";
import type { DemoPersonName } from "./demo-people";
import type { ProjectStatus, TaskPriority, TaskStatus } from "./enums";

/** How projects of the demo organisation are written down, and the labels of their tasks. */

interface DemoTask {
  title: string;
  description: string;
  status?: TaskStatus;
  by: DemoPersonName;
  dueInDays?: number;
  priority?: TaskPriority;
  labels?: DemoLabelName[];
  /** Its first items, as many as `done`, are ticked. */
  checklist?: string[];
  done?: number;
}

export const DEMO_LABELS = [
  { name: "Bug", colour: "red" },
  { name: "Design", colour: "blue" },
  { name: "Field test", colour: "orange" },
  { name: "Waiting for the client", colour: "grey" },
] as const;
export type DemoLabelName = (typeof DEMO_LABELS)[number]["name"];

export interface DemoProject {
  key: string;
  title: string;
  description: string;
  status: ProjectStatus;
  projectType: string | null;
  githubRepo: string | null;
  liveLink: string | null;
  clientCollaboration?: boolean;
  /** What its client sees of its commits: titles by default. */
  commitMode?: CommitMode;
  maskedWords?: string[];
  client: DemoPersonName | null;
  /** Further people of the client. */
  clientPeople?: DemoPersonName[];
  createdBy: DemoPersonName;
  assigned: DemoPersonName[];
  managers: DemoPersonName[];
  startsInDays: number;
  dueInDays: number | null;
  tasks: DemoTask[];
  /** Oldest first. */
  statusUpdates?: DemoStatusUpdate[];
}

interface DemoStatusUpdate {
  health: (typeof PROJECT_HEALTHS)[number];
  text: string;
  by: DemoPersonName;
  daysAgo: number;
}
