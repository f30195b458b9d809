import type { ProjectColumns, TaskColumns, UserColumns } from "@db/rows";

/*
 * What leaves the server. Rows that screens hold by the hundred (Person, Project, Task) are plain JSON: instants are
 * ISO-8601 UTC strings and calendar days `YYYY-MM-DD`, so that they pass the transformer untouched. Absent values are null.
 * Views leave columns out instead of picking some: a new column is a decision here, a renamed one breaks its last use.
 */

type NeverShown =
  | "emailVerified"
  | "agreeToTerms"
  | "termsVersion"
  | "termsAcceptedAt"
  | "decidedBy"
  | "decidedAt"
  | "updatedAt"
  | "erasedAt";
type OwnersOnly = "displayName" | "age" | "address" | "accessLevel";

/** The signed-in person's own profile: e-mail, phone, type, status and the fields that Settings edit. */
export interface Me extends Omit<UserColumns, NeverShown | "displayName"> {
  /** Falls back to the username, then to the e-mail. */
  displayName: string;
}

/** What anyone who shares a project may know about a person: id, name, type and picture; no e-mail, no phone. */
export interface Person
  extends Omit<
    UserColumns,
    NeverShown | OwnersOnly | "name" | "username" | "email" | "mobile" | "accountStatus" | "createdAt"
  > {
  /** The display name. */
  name: string;
}

/** A row of the admins' Users tab: names, e-mail, phone, type, status, and when the account was made. */
export interface AdminUser extends Omit<UserColumns, NeverShown | OwnersOnly | "profileImgLink"> {}

/** A browser in which the person is signed in. Never its token. */
export interface SessionView {
  id: string;
  /** The browser's own description, to be read by a parser; null when it sent none. */
  userAgent: string | null;
  ipAddress: string | null;
  createdAt: Date;
  expiresAt: Date;
  /** The session that asks. */
  current: boolean;
}

/** Everything the product holds about a person, for that person: what the privacy policy promises to hand out. */
export interface PersonExport {
  exportedAt: Date;
  profile: Omit<UserColumns, "erasedAt">;
  signsInWith: string[];
  sessions: Omit<SessionView, "current">[];
  /** Projects that name the person, and how. */
  projects: { id: string; key: string; title: string; roles: string[] }[];
  tasks: { id: string; projectId: string; number: number; title: string; roles: string[] }[];
  audit: { at: Date; kind: string; byThem: boolean }[];
}

/** An account that was made or has changed; the lists are to be read again. Null: one or more, unknown which. */
export interface AccountChange {
  userId: string | null;
}

export interface UserCounts {
  all: number;
  pending: number;
  active: number;
  /** Rejected and inactive together. */
  rejected: number;
}

export interface UserPage {
  /** Newest first. */
  items: AdminUser[];
  nextCursor: string | null;
  counts: UserCounts;
}

/**
 * A project with its people: its own columns (`key` is `HBP` in `HBP-12`; send `version` back with an edit, an older one is
 * a conflict) and what belongs to it.
 */
export interface Project extends Omit<ProjectColumns, "changeSeq" | "lastTaskNumber" | "createdAt" | "updatedAt"> {
  client: Person | null;
  /** User ids in the order of the form. */
  assignedTo: string[];
  managers: string[];
  /** Whoever the ids of this project and of its tasks' assignees name, once each, by username. */
  people: Person[];
  taskCounts: { total: number; completed: number };
  createdAt: string;
  updatedAt: string;
  canEdit: boolean;
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

/** `project`: its own fields or people; `tasks`: something below it; `removed`: gone, or no longer visible. */
export interface ProjectChange {
  projectId: string;
  change: "project" | "tasks" | "removed";
  project: Project | null;
}

/** A task: its own columns (`number` is 12 in `HBP-12`) and who does it. */
export interface Task extends Omit<TaskColumns, "statusBefore" | "createdAt" | "updatedAt"> {
  /** Exactly "status is completed". */
  completed: boolean;
  assignedTo: string[];
  createdAt: string;
}
