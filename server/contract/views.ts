import type { ChangedField, ProjectEventKind, RepositoryProblemKind, SessionScope, TokenResult } from "@db/enums";
import type {
  AuditColumns,
  InquiryColumns,
  InvitationColumns,
  ProjectColumns,
  TaskColumns,
  UserColumns,
} from "@db/rows";
import type { ResumeEvent } from "./live-cursor";
import type { BusinessHours } from "./organisation";
import type { PROJECT_CHANGE_KINDS } from "./projects";

/*
 * What leaves the server. Every view is JSON: instants are ISO-8601 UTC strings with milliseconds, calendar days are
 * `YYYY-MM-DD`, absent values are null. Views leave columns out instead of picking some: a new column is a decision here, a
 * renamed one breaks its last use.
 */

type NeverShown =
  | "emailVerified"
  | "agreeToTerms"
  | "termsVersion"
  | "termsAcceptedAt"
  | "decidedBy"
  | "decidedAt"
  | "invitedAt"
  | "updatedAt"
  | "erasedAt"
  | "emailPresumed";
type OwnersOnly = "displayName" | "age" | "address" | "accessLevel" | "unreadMail";

/** The signed-in person's own profile: email, phone, type, status and the fields that Settings edit. */
export interface Me extends Omit<UserColumns, NeverShown | "displayName"> {
  /** Falls back to the username, then to the email. */
  displayName: string;
  /** The organisation requires two-factor sign-in of this account, and it is not set up: nothing else is open to it. */
  mustSetUpTwoFactor: boolean;
}

/** One's own two-factor sign-in; `required` is the organisation's setting for one's type of account. */
export interface TwoFactorStatus {
  enabled: boolean;
  required: boolean;
  recoveryCodesLeft: number;
}

/** What sets up an authenticator app, shown once. `qrCode` is an SVG of `uri`. */
export interface TwoFactorSetup {
  secret: string;
  uri: string;
  qrCode: string;
  recoveryCodes: string[];
}

/** The organisation's settings. */
export interface OrganisationSettings {
  /** Null for everyone but admins. */
  requireTwoFactorForAdmins: boolean | null;
  /** An IANA name. */
  timeZone: string;
  businessHours: BusinessHours;
  /** Calendar days, ascending. */
  holidays: string[];
}

/** What anyone who shares a project may know about a person: id, name, type and picture; no email, no phone. */
export interface Person
  extends Omit<
    UserColumns,
    NeverShown | OwnersOnly | "name" | "username" | "email" | "mobile" | "accountStatus" | "createdAt"
  > {
  /** The display name. */
  name: string;
}

/** A row of the admins' Users tab: names, email, phone, type, status, and when the account was made. */
export interface AdminUser extends Omit<UserColumns, NeverShown | OwnersOnly | "profileImgLink"> {
  /** Whether the address was confirmed as theirs; true also for accounts approved before that was asked for. */
  emailVerified: boolean;
  /** They sign in with a second factor. */
  hasTwoFactor: boolean;
  /** Whether there is a password or a Google account to sign in with. Imported people have none until they accept an invitation. */
  hasSignInMethod: boolean;
}

/** An invitation that nobody has accepted or withdrawn. */
export interface Invitation extends Omit<InvitationColumns, "projectIds" | "invitedBy" | "updatedAt"> {
  /** The present name and type of an imported person. */
  name: string;
  /** Those of the chosen projects that still exist. */
  projects: { id: string; title: string }[];
  /** Null: whoever runs the server, with an import. */
  invitedBy: Person | null;
  /** False once it has expired or the person who sent it is no longer an active admin. Resending it makes it valid again. */
  isValid: boolean;
}

/** A browser in which the person is signed in. Never its token. */
export interface SessionView {
  id: string;
  /** The browser's own description, to be read by a parser; null when it sent none. */
  userAgent: string | null;
  ipAddress: string | null;
  createdAt: string;
  expiresAt: string;
  /** The session that asks. */
  current: boolean;
}

/** A program's way in, in the name of the person who made it. `id` is what revokes it. */
export interface ApiKeyView {
  id: string;
  name: string;
  scope: SessionScope;
  lastFour: string;
  createdAt: string;
  /** Null for one that stands until it is revoked. */
  expiresAt: string | null;
  /** To the minute; null while it has not been used. */
  lastUsedAt: string | null;
  /** Ids of keys from before 2026-11-22, when keys could still make keys, that it may have made: revoking it ends them too. */
  mayHaveMade: string[];
}

/** The only answer that holds the key itself. */
export interface CreatedApiKey extends ApiKeyView {
  key: string;
}

/** Everything the product holds about a person, for that person: what the privacy policy promises to hand out. */
export interface PersonExport {
  exportedAt: string;
  profile: Omit<UserColumns, "erasedAt">;
  signsInWith: string[];
  /** Since when an authenticator app is asked for a code; null while none is. */
  twoFactorSince: string | null;
  sessions: Omit<SessionView, "current">[];
  apiKeys: Omit<ApiKeyView, "id" | "lastFour" | "mayHaveMade">[];
  /** Projects that name the person, and how. */
  projects: { id: string; key: string; title: string; roles: string[] }[];
  tasks: { id: string; projectId: string; number: number; title: string; roles: string[] }[];
  /** Lines of projects' histories that tell of the person. */
  history: { at: string; kind: string; projectId: string; taskId: string | null; byThem: boolean }[];
  /** What the person wrote to others. */
  messages: { at: string; conversationId: string; seq: number; text: string }[];
  /** What was written on the public pages with the person's address. */
  inquiries: { at: string; kind: string; name: string; company: string | null; phone: string | null; text: string }[];
  /** Open invitations of the person's address. */
  invitations: { at: string; expiresAt: string; name: string }[];
  audit: { at: string; kind: string; byThem: boolean }[];
}

/** How mails leave the server, as its environment says. */
export interface MailSettings {
  /** False: each mail is a file in `DATA_DIR/outbox` and reaches nobody. */
  isConfigured: boolean;
  /** The sender: an address, or `Name <address>`. */
  from: string;
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
export interface Project
  extends Omit<
    ProjectColumns,
    "changeSeq" | "lastTaskNumber" | "repositoryId" | "taskCount" | "completedTaskCount" | "taskAssigneeIds"
  > {
  client: Person | null;
  /** User ids in the order of the form. */
  assignedTo: string[];
  managers: string[];
  /** Whoever the ids of this project and of its tasks' assignees name, once each, by username. */
  people: Person[];
  taskCounts: { total: number; completed: number };
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

/** A task: its own columns (`number` is 12 in `HBP-12`; `rank` sorts as plain text) and who does it. */
export interface Task extends Omit<TaskColumns, "statusBefore" | "completedAt" | "updatedAt"> {
  /** Exactly "status is completed". */
  completed: boolean;
  assignedTo: string[];
  /** Commits that name it, newest first, five at most. Only in a project's list: answers to changes leave it out. */
  commits?: TaskCommit[];
}

/** A project in an export, with all its tasks by number; nothing in it depends on who takes it out. */
export interface ExportedProject extends Omit<Project, "canEdit"> {
  tasks: ExportedTask[];
}
export interface ExportedTask extends Omit<Task, "rank" | "commits"> {}

/** A commit on a task that its message names. `closes`: it says that it finishes the task ("fixes HBP-12"). */
export interface TaskCommit {
  sha: string;
  /** The first line of the message, 200 characters at most. */
  title: string;
  htmlUrl: string;
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
}
export interface FoundProject extends ProjectName, Pick<Project, "status"> {}
export interface FoundTask extends Pick<Task, "id" | "number" | "title" | "status" | "completed"> {
  project: ProjectName;
}

/** How one field of a project or task changed. Ids stand for people; texts too long to show are null on both sides. */
export type FieldChange =
  | { field: ChangedField; from: string | null; to: string | null }
  | { field: ChangedField; added: string[]; removed: string[] };

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

/** One message of a conversation; `seq` counts from 1 and is the order that all screens share. */
export interface Message {
  id: string;
  conversationId: string;
  seq: number;
  senderId: string;
  text: string;
  /** ISO-8601 UTC, milliseconds. */
  timestamp: string;
  /** Whether the other participant has read up to it. */
  read: boolean;
  /** The sender's own key; null for the other participant. */
  clientMessageId: string | null;
}

/** The other one of a conversation; "Unknown User" when the person is gone. `isActive`: may be written to. */
export interface ChatPartner extends Pick<Person, "id" | "name" | "accountType" | "profileImgLink"> {
  isActive: boolean;
}

/** A conversation as one of its two participants sees it. */
export interface Conversation {
  id: string;
  otherUser: ChatPartner;
  lastMessage: Pick<Message, "text" | "timestamp" | "senderId"> | null;
  unreadCount: number;
  lastSeq: number;
  /** Up to where the reader and the other one have read. */
  ownReadSeq: number;
  otherReadSeq: number;
  createdAt: string;
  updatedAt: string;
}

export interface MessagePage {
  /** Ascending by seq. */
  items: Message[];
  /** The `before` that brings the page of older ones; null at the beginning. */
  nextCursor: number | null;
}

/** An event of a conversation's stream, tracked by the seq of the newest message that the stream has sent. */
export type ConversationEvent =
  | { type: "message"; message: Message }
  | { type: "read"; readerId: string; upToSeq: number };

/**
 * What is true of the people one writes with at this moment and is stored nowhere. `everyone` comes first, and again whenever
 * something may have been missed: all of them who look at a page of theirs now. `typing` holds for a few seconds.
 */
export type PresenceEvent =
  | { type: "everyone"; userIds: string[] }
  | { type: "presence"; userId: string; isPresent: boolean }
  | { type: "typing"; userId: string; conversationId: string };

/** A conversation of one's own has changed. */
export interface InboxChange {
  conversation: Conversation;
  unreadTotal: number;
}

/** What happened to one of the topics that a stream follows, and each topic's answer to a cursor. */
export type LiveEvent =
  | { topic: "projects"; event: ProjectChange | ResumeEvent }
  | { topic: "inbox"; event: InboxChange | ResumeEvent }
  | { topic: "presence"; event: PresenceEvent | ResumeEvent }
  | { topic: "users"; event: AccountChange | ResumeEvent }
  | { topic: "inquiries"; event: InquiryChange | ResumeEvent }
  | { topic: "github"; event: ActivityChange | ResumeEvent }
  | { topic: "audit"; event: AuditChange | ResumeEvent };

/** A commit in the words of GitHub's own API, with the project that links to its repository. */
export interface Commit {
  sha: string;
  html_url: string;
  commit: { message: string; author: { name: string; date: string } };
  /** The account on GitHub; null when GitHub knows none. The picture's address is https, or null. */
  author: { login: string; avatar_url: string | null } | null;
  project: ProjectName;
  /** `owner/name` */
  repo: string;
  /** Tasks of the project that the message names. */
  tasks: NamedTask[];
}
export interface NamedTask extends Pick<Task, "id" | "number" | "title" | "completed"> {
  closes: boolean;
}

/** A repository that could not be read at the last try; commits from before it are shown all the same. */
export interface RepositoryProblem {
  projectId: string;
  repo: string;
  kind: RepositoryProblemKind;
  /** Of HTTP; null when there was no answer. */
  status: number | null;
}

/** A project whose link names no repository on GitHub, for those who can mend it. */
export interface SkippedLink {
  project: ProjectName;
  link: string;
}

export interface CommitFeed {
  /**
   * Newest first. Of each repository the newest 10 for clients and 30 for admins (100 when a project is asked for), 300 in
   * all. A repository of two projects stands under each.
   */
  items: Commit[];
  problems: RepositoryProblem[];
  /** Admins only; empty for clients. */
  skipped: SkippedLink[];
  /** How many repositories the visible projects link to. */
  repositories: number;
  /** How many of them are about to be read: asked for and not answered yet. */
  refreshing: number;
  /** When GitHub last answered about any of them. ISO-8601 UTC. */
  refreshedAt: string | null;
  tokenConfigured: boolean;
}

/** What of these projects' activity has changed: commits, problems or links. The feed is to be read again. */
export interface ActivityChange {
  projectIds: string[];
}

/** How many repositories will be read now, and how many were read within the last minute and have to wait for it to pass. */
export interface RefreshAnswer {
  now: number;
  later: number;
}

/** The organisation's token, without the token. */
export interface TokenStatus {
  configured: boolean;
  lastFour: string | null;
  /** Lower-cased names of the accounts and organisations it is used for. */
  owners: string[];
  /** Null when the person is gone. */
  setBy: Person | null;
  setAt: string | null;
  lastResult: TokenResult | null;
  lastResultAt: string | null;
}

/** What a visitor wrote. Of a contact `phone` and `programme` are null, of an application `company` and `subject`. */
export interface Inquiry extends Omit<InquiryColumns, "decidedBy" | "inquiryKey"> {
  /** Which admin last changed the status; null while it is new. */
  decidedBy: Person | null;
}

export interface InquiryPage {
  /** Newest first, 50 a page. */
  items: Inquiry[];
  nextCursor: string | null;
  /** Of the kind that was asked for, whatever the status. */
  counts: { all: number } & Record<InquiryColumns["status"], number>;
}

/** An inquiry that came in or has another status; the lists are to be read again. Null: one or more, unknown which. */
export interface InquiryChange {
  inquiryId: string | null;
}

/** What a deed was done to. The organisation has no id. */
export interface AuditSubject {
  type: "person" | "project" | "inquiry" | "organisation";
  id: string | null;
  /** Of a person who is gone "Unknown User"; of anything else that is gone null. */
  name: string | null;
}

/** Who did what to whom. */
export interface AuditEvent extends Omit<AuditColumns, "actorId" | "subjectId"> {
  /** Null: the server itself. */
  actor: Person | null;
  subject: AuditSubject;
}

export interface AuditPage {
  /** Newest first, 50 a page. */
  items: AuditEvent[];
  nextCursor: string | null;
}

/** The audit has grown; it is to be read again. */
export interface AuditChange {
  hasGrown: true;
}
