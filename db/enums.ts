/** Values that the database, the schemas and the screens share. No imports: the browser bundles this file. */

export const ACCOUNT_TYPES = ["user", "client", "admin"] as const;
export type AccountType = (typeof ACCOUNT_TYPES)[number];

/** The address of an account whose person has entered none; shown as a placeholder. Spec 3. */
export const DEFAULT_ADDRESS = "adress to be updated";

export const ACCOUNT_STATUSES = ["pending", "active", "inactive", "rejected"] as const;
export type AccountStatus = (typeof ACCOUNT_STATUSES)[number];

/** `todo` is the default. `on-hold` and `cancelled` stand under To Do on the board and keep a badge of their own. */
export const PROJECT_STATUSES = ["todo", "inProgress", "completed", "on-hold", "cancelled"] as const;
export type ProjectStatus = (typeof PROJECT_STATUSES)[number];

export const TASK_STATUSES = ["todo", "inProgress", "completed"] as const;
export type TaskStatus = (typeof TASK_STATUSES)[number];

/** How soon a task is wanted; `none` is the default. */
export const TASK_PRIORITIES = ["none", "low", "medium", "high", "urgent"] as const;
export type TaskPriority = (typeof TASK_PRIORITIES)[number];

export const LABEL_COLOURS = ["grey", "green", "blue", "orange", "red"] as const;
export type LabelColour = (typeof LABEL_COLOURS)[number];

/** Who sees a comment or a file: the firm's people only, or the project's client too. */
export const VISIBILITIES = ["team", "client"] as const;
export type Visibility = (typeof VISIBILITIES)[number];

/** What a message is: what somebody wrote, or a line that the server adds. */
export const MESSAGE_KINDS = ["text", "system"] as const;
export type MessageKind = (typeof MESSAGE_KINDS)[number];

/** `client`: further people of the project's client, who see what the client sees. */
export const MEMBER_ROLES = ["assigned", "manager", "client"] as const;
export type MemberRole = (typeof MEMBER_ROLES)[number];

/** What an API key may be used for; what a browser's session may always: everything. */
export const SESSION_SCOPES = ["read", "write"] as const;
export type SessionScope = (typeof SESSION_SCOPES)[number];

/** What a backup was made for: the night, or somebody who asked for it on the System page or by `npm run backup`. */
export const BACKUP_KINDS = ["nightly", "asked"] as const;
export type BackupKind = (typeof BACKUP_KINDS)[number];

/** Why a repository could not be read: 404; 401 or 403; too many calls; anything else. */
export const REPOSITORY_PROBLEMS = ["not-found", "auth", "rate-limit", "other"] as const;
export type RepositoryProblemKind = (typeof REPOSITORY_PROBLEMS)[number];

/** The account to whose repositories the demo's projects link. Their commits are seeded, and they are never read from GitHub. */
export const DEMO_OWNER = "sangam-demo";

/** What became of the repository token's last use; `unreadable`: it was encrypted with a key that is not there any more. */
export const TOKEN_RESULTS = ["accepted", "refused", "unreadable"] as const;
export type TokenResult = (typeof TOKEN_RESULTS)[number];

/** What a project's history records. */
export const PROJECT_EVENT_KINDS = [
  "project.created",
  "project.updated",
  "task.created",
  "task.updated",
  "task.completed",
  "task.reopened",
  "task.deleted",
] as const;
export type ProjectEventKind = (typeof PROJECT_EVENT_KINDS)[number];

/** The fields whose changes a project's history records, as the forms call them. */
const CHANGED_FIELDS = [
  "title",
  "description",
  "status",
  "startDate",
  "dueDate",
  "clientId",
  "githubRepo",
  "liveLink",
  "projectType",
  "assignedTo",
  "managers",
  "clientPeople",
  "priority",
  "labels",
  "checklist",
  "clientCollaboration",
] as const;
export type ChangedField = (typeof CHANGED_FIELDS)[number];

export const INQUIRY_KINDS = ["contact", "application"] as const;
export type InquiryKind = (typeof INQUIRY_KINDS)[number];

/** What a contact is about. Spec 2, Landing page. */
export const INQUIRY_SUBJECTS = ["collaboration", "partnership", "project", "support", "other"] as const;
export type InquirySubject = (typeof INQUIRY_SUBJECTS)[number];

/** What one may apply for. Spec 9, Careers. */
export const PROGRAMMES = ["training", "free-internship", "paid-internship"] as const;
export type Programme = (typeof PROGRAMMES)[number];

export const INQUIRY_STATUSES = ["new", "answered", "closed"] as const;
export type InquiryStatus = (typeof INQUIRY_STATUSES)[number];

/** What web-vitals measures of a page: the layout's shifts, and milliseconds to paint, to answer and to the first byte. */
export const VITALS = ["CLS", "FCP", "INP", "LCP", "TTFB"] as const;
export type Vital = (typeof VITALS)[number];
