import type { AccountStatus, AccountType, ProjectStatus, TaskStatus } from "@db/enums";

/*
 * What leaves the server. Rows that screens hold by the hundred (Person, Project, Task) are plain JSON: instants are
 * ISO-8601 UTC strings and calendar days `YYYY-MM-DD`, so that they pass the transformer untouched. Absent values are null.
 */

/** The signed-in person's own profile. */
export interface Me {
  id: string;
  email: string;
  name: string;
  /** Falls back to the username, then to the e-mail. */
  displayName: string;
  username: string;
  mobile: string | null;
  age: number | null;
  address: string;
  profileImgLink: string | null;
  accountType: AccountType;
  accountStatus: AccountStatus;
  accessLevel: string | null;
  createdAt: Date;
}

/** What anyone who shares a project may know about a person: no e-mail, no phone. */
export interface Person {
  id: string;
  name: string;
  accountType: AccountType;
  profileImgLink: string | null;
}

/** A row of the admins' Users tab. */
export interface AdminUser {
  id: string;
  name: string;
  username: string;
  email: string;
  mobile: string | null;
  accountType: AccountType;
  accountStatus: AccountStatus;
  createdAt: Date;
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

export interface Project {
  id: string;
  /** `HBP` in `HBP-12`. */
  key: string;
  title: string;
  description: string;
  status: ProjectStatus;
  startDate: string;
  dueDate: string | null;
  githubRepo: string | null;
  liveLink: string | null;
  clientId: string | null;
  client: Person | null;
  /** User ids in the order of the form. */
  assignedTo: string[];
  managers: string[];
  /** Whoever the ids of this project and of its tasks' assignees name, once each, by name. */
  people: Person[];
  projectType: string | null;
  taskCounts: { total: number; completed: number };
  createdAt: string;
  createdBy: string;
  updatedAt: string;
  /** Send it back with an edit; an older one is a conflict. */
  version: number;
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

export interface Task {
  id: string;
  /** 12 in `HBP-12`. */
  number: number;
  projectId: string;
  title: string;
  description: string;
  status: TaskStatus;
  /** Exactly "status is completed". */
  completed: boolean;
  dueDate: string | null;
  assignedTo: string[];
  createdAt: string;
  createdBy: string;
  version: number;
}
