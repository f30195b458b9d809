import type { CommitMode } from "@db/client-enums";
import type { ChangedField, ProjectEventKind } from "@db/enums";
import type { CommentColumns, ProjectColumns, RequestColumns, StoredChecklistItem, TaskColumns } from "@db/rows";
import type { PROJECT_CHANGE_KINDS } from "../projects";
import type { ExportedRequest } from "./exported-requests";
import type { File } from "./files";
import type { Person } from "./people";
import type { ExportedSignOff } from "./sign-offs";
import type { ExportedStatusUpdate } from "./status-updates";

/**
 * A project with its people: its own columns (`key` is `HBP` in `HBP-12`; send `version` back with an edit, an older one is
 * a conflict) and what belongs to it.
 */
export interface Project
  extends Omit<
    ProjectColumns,
    | "changeSeq"
    | "lastTaskNumber"
    | "repositoryId"
    | "commitMode"
    | "maskedWords"
    | "taskCount"
    | "completedTaskCount"
    | "taskAssigneeIds"
  > {
  client: Person | null;
  /** Further people of the client, who see what the client sees and may do what the client may: ids in the order of the form. */
  clientPeople: string[];
  /** User ids in the order of the form. */
  assignedTo: string[];
  managers: string[];
  /** Whoever the ids of this project and of its tasks' assignees name, once each, by username. */
  people: Person[];
  taskCounts: { total: number; completed: number };
  /** What its client sees of its commits; null for clients. */
  commitView: CommitView | null;
  canEdit: boolean;
}

/** `maskedWords` are replaced in what the client gets of a commit, whatever their case. */
export interface CommitView {
  mode: CommitMode;
  maskedWords: string[];
}

/** Of everything the filter and the search match, not of one page. `todo` holds on-hold and cancelled too. */
export interface ProjectCounts {
  todo: number;
  inProgress: number;
  completed: number;
}

export interface ProjectPage {
  /** Newest first, 500 at most. */
  items: Project[];
  nextCursor: string | null;
  counts: ProjectCounts;
}

/** What happened to a project. `resync`: several things, or unknown which, so that whatever is shown of it has to be read again. */
export type ProjectChangeKind = (typeof PROJECT_CHANGE_KINDS)[number];

/** `project`: its own fields or people; `tasks`: something below it; `removed`: gone, or no longer visible. */
export interface ProjectChange {
  projectId: string;
  change: "project" | "tasks" | "removed";
  kind: ProjectChangeKind;
  /** Of the kinds about one task. */
  taskId: string | null;
  /** As it is now; null once removed. */
  project: Project | null;
  /** As it is now; null for a removed task, and of the kinds that are not about one task. */
  task: Task | null;
  /** Of a `resync` that is several known changes made at once: what has become of each task and of the project itself. */
  steps?: ProjectChangeStep[];
}
export interface ProjectChangeStep extends Pick<ProjectChange, "kind" | "taskId" | "task"> {}

/**
 * A task: its own columns (`number` is 12 in `HBP-12`; `rank` sorts as plain text; `checklist` in the order shown), its labels
 * and who does it.
 */
export interface Task extends Omit<TaskColumns, "statusBefore" | "completedAt" | "updatedAt"> {
  checklist: ChecklistItem[];
  /** Exactly "status is completed". */
  completed: boolean;
  assignedTo: string[];
  labelIds: string[];
  /** Commits that name it, newest first, five at most. In a project's list and by key only: answers to changes leave it out. */
  commits?: TaskCommit[];
}

/** One line of a task's checklist. */
export interface ChecklistItem extends StoredChecklistItem {}

/** A project in an export, with all its tasks by number, and the comments that its reader may see, by task and number. */
export interface ExportedProject extends Omit<Project, "canEdit"> {
  /** Names of what hangs on the project itself. */
  files: string[];
  /** Newest first. */
  statusUpdates: ExportedStatusUpdate[];
  /** Oldest first. */
  requests: ExportedRequest[];
  /** Oldest first. */
  signOffs: ExportedSignOff[];
  tasks: ExportedTask[];
  comments: ExportedComment[];
}
export interface ExportedTask extends Omit<Task, "rank" | "commits" | "labelIds"> {
  /** Names, by name. */
  labels: string[];
  /** Names of what hangs on the task itself. */
  files: string[];
}
/** A comment in an export: people and files by name. */
export interface ExportedComment extends Pick<CommentColumns, "visibility" | "text" | "createdAt" | "editedAt"> {
  /** Null: about the project itself. */
  taskNumber: number | null;
  author: string;
  files: string[];
}

/** A commit on a task that its message names. `closes`: it says that it finishes the task ("fixes HBP-12"). */
export interface TaskCommit {
  sha: string;
  /** The first line of the message, 200 characters at most. */
  title: string;
  /** Null for a client where something of the commit is masked. */
  htmlUrl: string | null;
  authorName: string;
  date: string;
  closes: boolean;
}

/** What names a project wherever something of it stands alone: `HBP`, Harbour booking portal. */
export interface ProjectName extends Pick<Project, "id" | "key" | "title"> {}

/** A task outside its project's own list. */
export interface MyTask extends Task {
  project: ProjectName;
}

export interface MyTasks {
  /** Open ones by due day, those without one last, then by age; after them what was completed within a day. 500 at most. */
  items: MyTask[];
  /** Of all open ones. */
  open: number;
}

/** What is due within some days, by due day: projects, and tasks of any of them. */
export interface Calendar {
  projects: CalendarProject[];
  tasks: CalendarTask[];
}
export interface CalendarProject
  extends Pick<Project, "id" | "key" | "title" | "status" | "startDate" | "version" | "canEdit"> {
  dueDate: string;
}
export interface CalendarTask
  extends Pick<Task, "id" | "projectId" | "number" | "title" | "status" | "completed" | "version"> {
  dueDate: string;
  project: ProjectName;
  canEdit: boolean;
}

/** An active user or admin, or a client. */
export interface TeamMember extends Person {
  /** Null for clients. */
  email: string | null;
  /** By title; only what the caller may see. */
  projects: { id: string; title: string }[];
}

/** At most eight of each, best first. */
export interface SearchResults {
  projects: FoundProject[];
  tasks: FoundTask[];
  people: Person[];
  comments: FoundComment[];
  messages: FoundMessage[];
  requests: FoundRequest[];
  files: File[];
}
/** `excerpt` is a line of its text, about what was looked for where that is in it. */
export interface FoundRequest extends Pick<RequestColumns, "id" | "title" | "status"> {
  project: ProjectName;
  excerpt: string;
}
/** A comment on a task, or on a project where there is none; `excerpt` is a line of it about what was looked for. */
export interface FoundComment {
  id: string;
  projectId: string;
  taskId: string | null;
  taskNumber: number | null;
  project: ProjectName;
  excerpt: string;
}
/** A message of an own conversation. */
export interface FoundMessage {
  id: string;
  conversationId: string;
  otherUser: Pick<Person, "id" | "name">;
  excerpt: string;
}
export interface FoundProject extends ProjectName, Pick<Project, "status"> {}
export interface FoundTask extends Pick<Task, "id" | "number" | "title" | "status" | "completed"> {
  project: ProjectName;
}

/**
 * How one field of a project or task changed. Ids stand for people, names for labels, texts for items of a checklist, of which
 * `checked` and `unchecked` were ticked or not; texts too long to show are null on both sides.
 */
export type FieldChange =
  | { field: ChangedField; from: string | null; to: string | null }
  | { field: ChangedField; added: string[]; removed: string[]; checked?: string[]; unchecked?: string[] };

/** One line of a project's history. */
export interface ProjectEvent {
  id: number;
  at: string;
  kind: ProjectEventKind;
  project: ProjectName;
  /** Null for a person who is gone. */
  actor: Person | null;
  /** As it was called at that time; the task may be gone. */
  task: { id: string; number: number; title: string } | null;
  changes: FieldChange[];
}

export interface ProjectHistory {
  /** Newest first, 50 a page. */
  items: ProjectEvent[];
  /** Whoever the changes name, once each. */
  people: Person[];
  nextCursor: string | null;
}
