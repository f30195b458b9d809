// Made by `npm run reference` from the router's own types; api.test-d.ts proves that the two are equal. Do not edit.
import type { Mutation, Query, Subscription, Tracked } from "./procedures";

/** An account that was made or has changed; the lists are to be read again. Null: one or more, unknown which. */
export interface AccountChange {
  userId: string | null;
}

/** What of these projects' activity has changed: commits, problems or links. The feed is to be read again. */
export interface ActivityChange {
  projectIds: string[];
}

/** A row of the admins' Users tab: names, email, phone, type, status, and when the account was made. */
export interface AdminUser {
  /** Whether the address was confirmed as theirs; true also for accounts approved before that was asked for. */
  emailVerified: boolean;
  /** They sign in with a second factor. */
  hasTwoFactor: boolean;
  /** Whether there is a password or a Google account to sign in with. Imported people have none until they accept an invitation. */
  hasSignInMethod: boolean;
  accountStatus: "active" | "inactive" | "pending" | "rejected";
  accountType: "admin" | "client" | "user";
  createdAt: string;
  email: string;
  id: string;
  mobile: string | null;
  name: string;
  username: string;
}

/** A program's way in, in the name of the person who made it. `id` is what revokes it. */
export interface ApiKeyView {
  id: string;
  name: string;
  scope: "read" | "write";
  lastFour: string;
  createdAt: string;
  /** Null for one that stands until it is revoked. */
  expiresAt: string | null;
  /** To the minute; null while it has not been used. */
  lastUsedAt: string | null;
  /** Ids of keys from before 2026-11-22, when keys could still make keys, that it may have made: revoking it ends them too. */
  mayHaveMade: string[];
}

/** The audit has grown; it is to be read again. */
export interface AuditChange {
  hasGrown: true;
}

/** Who did what to whom. */
export interface AuditEvent {
  /** Null: the server itself. */
  actor: Person | null;
  subject: AuditSubject;
  at: string;
  details: {
    accountType?: "admin" | "client" | "user";
    again?: true;
    before?: string;
    changed?: string;
    clientCollaboration?: boolean;
    comments?: number;
    conversationId?: string;
    conversations?: number;
    emailVerified?: false;
    files?: number;
    format?: string;
    from?: "answered" | "closed" | "new";
    host?: string;
    key?: string;
    managerOf?: number;
    messages?: number;
    mode?: "counts" | "hidden" | "titles";
    name?: string | null;
    ownerId?: string;
    owners?: string;
    passedOver?: number;
    projects?: number;
    replaced?: boolean;
    requests?: number;
    scope?: "all" | "mine" | "read" | "write";
    sessions?: number;
    signOffId?: string;
    signOffs?: number;
    signerId?: string;
    status?: "approved" | "asked" | "changes-requested" | "withdrawn";
    statusUpdates?: number;
    subject?: string | null;
    takenAt?: string;
    tasks?: number;
    template?: string;
    templates?: number;
    title?: string;
    to?: string;
    toUserId?: string;
    until?: string | null;
    users?: number;
    withoutOpening?: true;
    words?: number;
  };
  id: number;
  kind: "account.approved" | "account.deactivated" | "account.erased" | "account.exported" | "account.made-admin" | "account.reactivated" | "account.rejected" | "account.type-changed" | "api-key.created" | "api-key.revoked" | "backup.asked" | "client-person.added" | "client-person.removed" | "client-view.opened" | "comment.deleted" | "conversation.cover-ended" | "conversation.handed-over" | "conversation.taken-back" | "data.exported" | "data.imported" | "data.restored" | "file.removed" | "inquiry.status-changed" | "invitation.accepted" | "invitation.sent" | "invitation.withdrawn" | "organisation.updated" | "password.changed" | "password.reset" | "project.collaboration-changed" | "project.commit-view-changed" | "project.deleted" | "projects.exported" | "repository-token.owners-set" | "repository-token.removed" | "repository-token.set" | "session.ended" | "sign-off.asked" | "sign-off.decided" | "sign-off.withdrawn" | "template.deleted" | "template.saved" | "test-mail.sent" | "two-factor.disabled" | "two-factor.enabled" | "two-factor.reset" | "webhook.created" | "webhook.deleted" | "work.handed-over";
}

export interface AuditPage {
  /** Newest first, 50 a page. */
  items: AuditEvent[];
  nextCursor: string | null;
}

/** What an action was about. The organisation has no id. */
export interface AuditSubject {
  type: "inquiry" | "organisation" | "person" | "project";
  id: string | null;
  /** Of a person who is gone "Unknown User"; of anything else that is gone null. */
  name: string | null;
}

/** `days`: 1 for Monday to 7 for Sunday; times of day as HH:MM. */
export interface BusinessHours {
  days: number[];
  from: string;
  to: string;
}

/** What is due within some days, by due day: projects, and tasks of any of them. */
export interface Calendar {
  projects: CalendarProject[];
  tasks: CalendarTask[];
}

export interface CalendarProject {
  dueDate: string;
  canEdit: boolean;
  id: string;
  key: string;
  startDate: string;
  status: "cancelled" | "completed" | "inProgress" | "on-hold" | "todo";
  title: string;
  version: number;
}

export interface CalendarTask {
  dueDate: string;
  project: ProjectName;
  canEdit: boolean;
  /** Exactly "status is completed". */
  completed: boolean;
  id: string;
  number: number;
  projectId: string;
  status: "completed" | "inProgress" | "todo";
  title: string;
  version: number;
}

/** One thing that "since you were here" counts. */
export interface Change {
  id: string;
  /** Of the task, the project or the commit; the beginning of a message. */
  title: string;
  at: string;
  project: {
    id: string;
    key: string;
    title: string;
  } | null;
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

/** How many, and which. */
export interface ChangeCount {
  count: number;
  /** Newest first, at most 500: of tasks, of what has a date (tasks and projects), hashes of commits, of messages. */
  ids: string[];
}

export interface ChangeList {
  /** Newest first, at most 500. */
  items: Change[];
  /** Commits of projects that show their client no more than how many. */
  counts: {
    project: {
      id: string;
      key: string;
      title: string;
    };
    count: number;
  }[];
  /** Exactly how many there are, listed or not; a commit of several projects is one. */
  count: number;
}

/** The other one of a conversation; "Unknown User" when the person is gone. `isActive`: may be written to. */
export interface ChatPartner {
  isActive: boolean;
  /** The display name. */
  name: string;
  accountType: "admin" | "client" | "user";
  id: string;
  profileImgLink: string | null;
}

/** One line of a task's checklist. */
export interface ChecklistItem {
  id: string;
  text: string;
  done: boolean;
}

/** A comment as one reader sees it. Deleted, it keeps its place, without text and files. */
export interface Comment {
  projectId: string;
  /** Null: about the project itself. */
  taskId: string | null;
  /** Counts from 1 among those that the reader can see, without a gap: the order that all screens share. */
  seq: number;
  author: Person;
  /** The author's own key; null for others. */
  clientCommentId: string | null;
  files: File[];
  authorId: string;
  createdAt: string;
  deletedAt: string | null;
  editedAt: string | null;
  id: string;
  mentions: string[];
  text: string;
  visibility: "client" | "team";
}

/** A change of a discussion, tracked by an id of its own. What comes twice is the same comment as it is now: put it in by id. */
export interface CommentEvent {
  type: "created" | "deleted" | "edited";
  comment: Comment;
}

export interface CommentPage {
  /** Ascending by seq. */
  items: Comment[];
  /** The `before` that brings the page of older ones; null at the beginning. */
  nextCursor: number | null;
  /** Up to which comment the reader has read; 0 for none. */
  readUpToSeq: number;
  /** Whether the reader has written anything in this project that its client can see: asking once whether they mean it is done. */
  hasShownClient: boolean;
  /** Where `comments.onChange` goes on from this page: changes since then are its events. */
  lastEventId: string;
}

/** A commit in the words of GitHub's own API, with the project that links to its repository. */
export interface Commit {
  sha: string;
  /** Null for a client where something of the commit is masked: the page shows all of it. */
  html_url: string | null;
  commit: {
    message: string;
    author: {
      name: string;
      date: string;
    };
  };
  /** The account on GitHub; null when GitHub knows none. `avatar_url` is a path of this server, or null. */
  author: {
    login: string;
    avatar_url: string | null;
  } | null;
  project: ProjectName;
  /** `owner/name` */
  repo: string;
  /** Tasks of the project that the message names. */
  tasks: NamedTask[];
}

/** How many commits a project had on a day by the organisation's clock. */
export interface CommitCount {
  projectId: string;
  day: string;
  count: number;
}

export interface CommitFeed {
  /**
   * Newest first. Of each repository the newest 10 for clients and 30 for admins (100 when a project is asked for), 300 in
   * all. A repository of two projects stands under each.
   */
  items: Commit[];
  /** Clients only: of each project that shows them counts alone, its ten newest days with commits within a year, newest first. */
  counts: CommitCount[];
  /**
   * Clients only: all commits of the days that the listed ones of a repository are of, newest first, of projects that show their
   * titles. `items` holds the newest ten of a repository, and so not all that a group counts.
   */
  groups: CommitGroupTotal[];
  /** Clients only: how many of their projects with a link show nothing of their commits. Nothing else here tells of these. */
  hiddenProjects: number;
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

/** How many commits a project had on a day by the organisation's clock about the first task that they name, or about none. */
export interface CommitGroupTotal {
  project: ProjectName;
  day: string;
  task: {
    /** Exactly "status is completed". */
    completed: boolean;
    id: string;
    number: number;
    title: string;
  } | null;
  count: number;
  /** Those of them that are listed, newest first. */
  shas: string[];
}

/** `maskedWords` are replaced in what the client gets of a commit, whatever their case. */
export interface CommitView {
  mode: "counts" | "hidden" | "titles";
  maskedWords: string[];
}

/** A conversation as one of its two participants sees it, or who covers it. */
export interface Conversation {
  id: string;
  otherUser: ChatPartner;
  lastMessage: {
    senderId: string;
    text: string;
    /** ISO-8601 UTC, milliseconds. */
    timestamp: string;
    /** `system`: a line of the server, such as that a task is completed. Nobody has to read it. */
    kind: "system" | "text";
  } | null;
  unreadCount: number;
  lastSeq: number;
  /** Who stands in for its admin now: that one alone writes and has the unread count on the admin's side. */
  cover: ConversationCover | null;
  /** For who covers it: in whose place. Else null. */
  coversFor: Person | null;
  /** Up to where the reader's side and the other one have read. */
  ownReadSeq: number;
  otherReadSeq: number;
  /** Who owes the next message: the firm or its client. Nobody where neither of the two is a client. */
  turn: Turn;
  createdAt: string;
  updatedAt: string;
}

/** Who stands in for the admin of a conversation, and until when; null: until it is taken back. */
export interface ConversationCover {
  person: Person;
  /** ISO-8601 UTC, milliseconds. */
  until: string | null;
}

/**
 * An event of a conversation's stream. Its id is the seq of the newest message that the stream has sent, and after a point the number of
 * the newest change of a chip, where there is one.
 */
export type ConversationEvent = {
  type: "message";
  message: Message;
} | {
  type: "read";
  readerId: string;
  upToSeq: number;
} | {
  type: "chip";
  messageId: string;
  chip: MessageChip | null;
};

/** A project made of another one, or of a template. */
export interface CopiedProject {
  client: Person | null;
  /** Who was named and cannot be on a project now, such as those who are no longer active. */
  leftOut: Person[];
  /** Further people of the client, who see what the client sees and may do what the client may: ids in the order of the form. */
  clientPeople: string[];
  /** User ids in the order of the form. */
  assignedTo: string[];
  managers: string[];
  /** Whoever the ids of this project and of its tasks' assignees name, once each, by username. */
  people: Person[];
  taskCounts: {
    total: number;
    completed: number;
  };
  /** What its client sees of its commits; null for clients. */
  commitView: CommitView | null;
  canEdit: boolean;
  clientCollaboration: boolean;
  clientId: string | null;
  createdAt: string;
  createdBy: string;
  description: string;
  dueDate: string | null;
  githubRepo: string | null;
  id: string;
  key: string;
  liveLink: string | null;
  projectType: string | null;
  startDate: string;
  status: "cancelled" | "completed" | "inProgress" | "on-hold" | "todo";
  statusReminder: boolean;
  title: string;
  updatedAt: string;
  version: number;
}

/** The only answer that holds the key itself. */
export interface CreatedApiKey {
  key: string;
  id: string;
  name: string;
  scope: "read" | "write";
  lastFour: string;
  createdAt: string;
  /** Null for one that stands until it is revoked. */
  expiresAt: string | null;
  /** To the minute; null while it has not been used. */
  lastUsedAt: string | null;
  /** Ids of keys from before 2026-11-22, when keys could still make keys, that it may have made: revoking it ends them too. */
  mayHaveMade: string[];
}

/** The secret that deliveries are signed with, which no other answer contains. */
export interface CreatedWebhook {
  id: string;
  secret: string;
}

/** What a discussion's stream brings: changes of comments, and where asked for the files beside them and whom they name. */
export type DiscussionEvent = CommentEvent | {
  type: "files";
  files: ListedFile[];
} | {
  type: "people";
  people: Person[];
};

/** A comment in an export: people and files by name. */
export interface ExportedComment {
  /** Null: about the project itself. */
  taskNumber: number | null;
  author: string;
  files: string[];
  createdAt: string;
  editedAt: string | null;
  text: string;
  visibility: "client" | "team";
}

/** A project in an export, with all its tasks by number, and the comments that its reader may see, by task and number. */
export interface ExportedProject {
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
  client: Person | null;
  /** Further people of the client, who see what the client sees and may do what the client may: ids in the order of the form. */
  clientPeople: string[];
  /** User ids in the order of the form. */
  assignedTo: string[];
  managers: string[];
  /** Whoever the ids of this project and of its tasks' assignees name, once each, by username. */
  people: Person[];
  taskCounts: {
    total: number;
    completed: number;
  };
  /** What its client sees of its commits; null for clients. */
  commitView: CommitView | null;
  clientCollaboration: boolean;
  clientId: string | null;
  createdAt: string;
  createdBy: string;
  description: string;
  dueDate: string | null;
  githubRepo: string | null;
  id: string;
  key: string;
  liveLink: string | null;
  projectType: string | null;
  startDate: string;
  status: "cancelled" | "completed" | "inProgress" | "on-hold" | "todo";
  statusReminder: boolean;
  title: string;
  updatedAt: string;
  version: number;
}

/** A request in an export: people and files by name, the task that it became by its number. */
export interface ExportedRequest {
  author: string;
  decidedBy: string | null;
  taskNumber: number | null;
  files: string[];
  /** Oldest first. */
  thread: {
    author: string;
    text: string;
    createdAt: string;
  }[];
  createdAt: string;
  decidedAt: string | null;
  reason: string | null;
  status: "accepted" | "asked" | "declined" | "duplicate" | "new";
  text: string;
  title: string;
  urgency: "high" | "low" | "normal";
}

/** A sign-off in an export: people by name. While it is asked, `record` is as it was asked for; the decision freezes it. */
export interface ExportedSignOff {
  askedBy: string;
  signer: string;
  decidedBy: string | null;
  record: {
    project: {
      id: string;
      key: string;
      title: string;
    };
    /** The text of the question, who asked, and when. */
    question: string;
    askedBy: string;
    askedAt: string;
    signer: {
      id: string;
      name: string;
    };
    /** The whole project, or some of its tasks. */
    scope: "project" | "tasks";
    /** By number. */
    tasks: {
      id: string;
      number: number;
      title: string;
      status: string;
      dueDate: string | null;
    }[];
    /**
     * From the first to the last commit, of the repository or of those that name the tasks. Without ends where the client sees counts
     * only; empty where the client sees no commits, and without any.
     */
    commits: {
      repository: string;
      count: number;
      first: {
        sha: string;
        at: string;
      } | null;
      last: {
        sha: string;
        at: string;
      } | null;
    }[];
    liveLink: string | null;
    /** Of the project and of the tasks, as far as clients see them, in the order in which they were attached; `hash` is SHA-256. */
    files: {
      id: string;
      name: string;
      size: number;
      hash: string;
    }[];
  };
  askedAt: string;
  decidedAt: string | null;
  note: string;
  reason: string | null;
  status: "approved" | "asked" | "changes-requested" | "withdrawn";
}

/** A status update in an export: its author by name. */
export interface ExportedStatusUpdate {
  author: string;
  health: "at-risk" | "off-track" | "on-track";
  sentAt: string;
  text: string;
}

export interface ExportedTask {
  /** Names, by name. */
  labels: string[];
  /** Names of what hangs on the task itself. */
  files: string[];
  checklist: ChecklistItem[];
  /** Exactly "status is completed". */
  completed: boolean;
  assignedTo: string[];
  createdAt: string;
  createdBy: string;
  description: string;
  dueDate: string | null;
  id: string;
  number: number;
  priority: "high" | "low" | "medium" | "none" | "urgent";
  projectId: string;
  status: "completed" | "inProgress" | "todo";
  title: string;
  version: number;
}

/**
 * How one field of a project or task changed. Ids stand for people, names for labels, texts for items of a checklist, of which
 * `checked` and `unchecked` were ticked or not; texts too long to show are null on both sides.
 */
export type FieldChange = {
  field: "assignedTo" | "checklist" | "clientCollaboration" | "clientId" | "clientPeople" | "description" | "dueDate" | "githubRepo" | "labels" | "liveLink" | "managers" | "priority" | "projectType" | "startDate" | "status" | "title";
  from: string | null;
  to: string | null;
} | {
  field: "assignedTo" | "checklist" | "clientCollaboration" | "clientId" | "clientPeople" | "description" | "dueDate" | "githubRepo" | "labels" | "liveLink" | "managers" | "priority" | "projectType" | "startDate" | "status" | "title";
  added: string[];
  removed: string[];
  checked?: string[];
  unchecked?: string[];
};

/**
 * An uploaded file. `type` is what its bytes show, not what its name says. Pictures with a `width` have a thumbnail; both
 * measures are as the picture is shown.
 */
export interface File {
  /** Who uploaded it. */
  createdBy: string;
  createdAt: string;
  height: number | null;
  id: string;
  name: string;
  size: number;
  type: string;
  visibility: "client" | "team" | null;
  width: number | null;
}

/** What a manager may want to look at. Nothing follows from it by itself, and it goes by itself. */
export interface Finding {
  projectId: string;
  /** Null for one of the project itself. */
  taskId: string | null;
  kind: "commits-after-completion" | "due-soon" | "live-link-dead" | "no-commits" | "repository-dead";
  /** Since when it is so: of the last commit, the first one after the completion, the last answer. */
  since: string;
  /** Of `no-commits` the days, of `commits-after-completion` the commits, of `due-soon` the open tasks; else null. */
  count: number | null;
  project: {
    id: string;
    key: string;
    title: string;
    dueDate: string | null;
  };
  task: {
    number: number;
    title: string;
  } | null;
}

/** Something that findings follow from has changed: they are to be read again. */
export interface FindingsChange {
  type: "changed";
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
  otherUser: {
    /** The display name. */
    name: string;
    id: string;
  };
  excerpt: string;
}

export interface FoundProject {
  id: string;
  key: string;
  status: "cancelled" | "completed" | "inProgress" | "on-hold" | "todo";
  title: string;
}

/** `excerpt` is a line of its text, about what was looked for where that is in it. */
export interface FoundRequest {
  project: ProjectName;
  excerpt: string;
  id: string;
  status: "accepted" | "asked" | "declined" | "duplicate" | "new";
  title: string;
}

export interface FoundTask {
  project: ProjectName;
  /** Exactly "status is completed". */
  completed: boolean;
  id: string;
  number: number;
  status: "completed" | "inProgress" | "todo";
  title: string;
}

/** How much of each somebody holds. */
export interface Holdings {
  /** Open tasks that they are assigned to. */
  tasks: number;
  /** Projects that they manage. */
  managerOf: number;
  /** Conversations of an admin that nobody covers. */
  conversations: number;
  /** Undecided requests in the projects that they manage. */
  requests: number;
}

/** A conversation of one's own has changed; or one that somebody has covered is no longer open to them. */
export type InboxChange = {
  conversation: Conversation;
  unreadTotal: number;
} | {
  conversation: null;
  removedId: string;
  unreadTotal: number;
};

/** What a visitor wrote. Of a contact `phone` and `programme` are null, of an application `company` and `subject`. */
export interface Inquiry {
  /** Which admin last changed the status; null while it is new. */
  decidedBy: Person | null;
  company: string | null;
  createdAt: string;
  decidedAt: string | null;
  email: string;
  id: string;
  kind: "application" | "contact";
  message: string;
  name: string;
  phone: string | null;
  programme: "free-internship" | "paid-internship" | "training" | null;
  status: "answered" | "closed" | "new";
  subject: "collaboration" | "other" | "partnership" | "project" | "support" | null;
}

/** An inquiry that came in or has another status; the lists are to be read again. Null: one or more, unknown which. */
export interface InquiryChange {
  inquiryId: string | null;
}

export interface InquiryPage {
  /** Newest first, 50 a page. */
  items: Inquiry[];
  nextCursor: string | null;
  /** Of the kind that was asked for, whatever the status. */
  counts: {
    all: number;
    answered: number;
    closed: number;
    new: number;
  };
}

/** An invitation that nobody has accepted or withdrawn. */
export interface Invitation {
  /** The present name and type of an imported person. */
  name: string;
  /** Those of the chosen projects that still exist. */
  projects: {
    id: string;
    title: string;
  }[];
  /** Null: whoever runs the server, with an import. */
  invitedBy: Person | null;
  /** False once it has expired or the person who sent it is no longer an active admin. Resending it makes it valid again. */
  isValid: boolean;
  accountType: "admin" | "client" | "user";
  createdAt: string;
  email: string;
  expiresAt: string;
  id: string;
  userId: string | null;
}

/** How the jobs of one kind fare in all processes. */
export interface JobStatus {
  kind: string;
  /** Jobs that are due and not taken up, and for how long the oldest of them has been due. */
  waiting: number;
  lagSeconds: number;
  /** Since when every try has failed, and the kind of the last error; null while jobs succeed. */
  failingSince: string | null;
  lastError: string | null;
}

/** A label of the organisation, for tasks of any project. */
export interface Label {
  colour: "blue" | "green" | "grey" | "orange" | "red";
  id: string;
  name: string;
}

/** Labels have changed: all that the caller sees, as they are now, by name. */
export interface LabelChange {
  labels: Label[];
}

/** What a label's deletion concerns. */
export interface LabelUsage {
  /** On so many tasks it is. */
  tasks: number;
}

/** The newest backup that was tried. */
export interface LastBackup {
  /** When it ended. */
  at: string;
  kind: "asked" | "nightly";
  ok: boolean;
  /** Null for one that failed. */
  sizeBytes: number | null;
  /** Its name, without its folder. */
  file: string;
  /** Whether all of it was read back as it was written. */
  verified: boolean;
  holdsSecrets: boolean;
  /** Why it failed, in a sentence. */
  error: string | null;
}

/** A file in the list of a project or a task. */
export interface ListedFile {
  /** It belongs to the request that became the task, and can't be removed from the task. */
  isOfRequest: boolean;
  /** Who uploaded it. */
  createdBy: string;
  createdAt: string;
  height: number | null;
  id: string;
  name: string;
  size: number;
  type: string;
  visibility: "client" | "team" | null;
  width: number | null;
}

/** What happened to one of the topics that a stream follows, and each topic's answer to a cursor. */
export type LiveEvent = {
  topic: "projects";
  event: ProjectChange | ResumeEvent;
} | {
  topic: "inbox";
  event: ResumeEvent | {
    conversation: Conversation;
    unreadTotal: number;
  } | {
    conversation: null;
    removedId: string;
    unreadTotal: number;
  };
} | {
  topic: "presence";
  event: ResumeEvent | {
    type: "everyone";
    userIds: string[];
  } | {
    type: "presence";
    userId: string;
    isPresent: boolean;
  } | {
    type: "typing";
    userId: string;
    conversationId: string;
  };
} | {
  topic: "notifications";
  event: NotificationChange | ResumeEvent;
} | {
  topic: "users";
  event: AccountChange | ResumeEvent;
} | {
  topic: "inquiries";
  event: InquiryChange | ResumeEvent;
} | {
  topic: "github";
  event: ActivityChange | ResumeEvent;
} | {
  topic: "audit";
  event: AuditChange | ResumeEvent;
} | {
  topic: "labels";
  event: LabelChange | ResumeEvent;
} | {
  topic: "requests";
  event: RequestChange | ResumeEvent;
} | {
  topic: "findings";
  event: FindingsChange | ResumeEvent;
};

export interface LiveLinkCheck {
  at: string;
  isUp: boolean;
  /** The HTTP status of the answer; null without one. */
  status: number | null;
  /** What prevented an answer. */
  error: "ended" | "redirects" | "unknown-host" | "unreachable" | null;
}

/** Whether the live link of a project answers, and what the last checks found. */
export interface LiveLinkPulse {
  url: string;
  /** `failing`: not often enough in a row to call it dead. `refused`: it is no public address, so that nobody asks it. */
  state: "dead" | "failing" | "refused" | "unknown" | "up";
  /** Since when it answers, or does not; null where nobody knows. */
  since: string | null;
  lastCheckedAt: string | null;
  /** Newest first. */
  checks: LiveLinkCheck[];
}

/** How mails leave the server, as its environment says. */
export interface MailSettings {
  /** False: each mail is a file in `DATA_DIR/outbox` and reaches nobody. */
  isConfigured: boolean;
  /** The sender: an address, or `Name <address>`. */
  from: string;
}

/** The signed-in person's own profile: email, phone, type, status and the fields that Settings edit. */
export interface Me {
  /** Falls back to the username, then to the email. */
  displayName: string;
  /** The organisation requires two-factor sign-in of this account, and it is not set up: nothing else is open to it. */
  mustSetUpTwoFactor: boolean;
  /** The picture was a link to another host and is shown to nobody any more. True until they have been told: see `users.setPhoto`. */
  hasLostPicture: boolean;
  accessLevel: string | null;
  accountStatus: "active" | "inactive" | "pending" | "rejected";
  accountType: "admin" | "client" | "user";
  address: string;
  age: number | null;
  createdAt: string;
  email: string;
  id: string;
  mobile: string | null;
  name: string;
  profileImgLink: string | null;
  unreadMail: boolean;
  username: string;
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
  /** `system`: a line of the server, such as that a task is completed. Nobody has to read it. */
  kind: "system" | "text";
  /** Whoever wrote it while covering for the admin; null where one of the two wrote it, and for one's own. */
  senderName: string | null;
  /** The task that it became; null also where the reader may not see its project. */
  chip: MessageChip | null;
  /** What came with it, in the order in which it was chosen. */
  files: File[];
}

/** A task that a message became. `key`: such as `HBP-12`. */
export interface MessageChip {
  taskId: string;
  key: string;
  status: "completed" | "inProgress" | "todo";
}

export interface MessagePage {
  /** Ascending by seq. */
  items: Message[];
  /** The `before` that brings the page of older ones; null at the beginning. */
  nextCursor: number | null;
}

/** A task outside its project's own list. */
export interface MyTask {
  project: ProjectName;
  checklist: ChecklistItem[];
  /** Exactly "status is completed". */
  completed: boolean;
  assignedTo: string[];
  labelIds: string[];
  /** Commits that name it, newest first, five at most. In a project's list and by key only: answers to changes leave it out. */
  commits?: TaskCommit[];
  createdAt: string;
  createdBy: string;
  description: string;
  dueDate: string | null;
  id: string;
  number: number;
  priority: "high" | "low" | "medium" | "none" | "urgent";
  projectId: string;
  rank: string;
  status: "completed" | "inProgress" | "todo";
  title: string;
  version: number;
}

export interface MyTasks {
  /** Open ones by due day, those without one last, then by age; after them what was completed within a day. 500 at most. */
  items: MyTask[];
  /** Of all open ones. */
  open: number;
}

export interface NamedTask {
  closes: boolean;
  /** Exactly "status is completed". */
  completed: boolean;
  id: string;
  number: number;
  title: string;
}

/** Something that a person is told about a subject. */
export interface Notification {
  subject: NotificationSubject;
  /** What the subject is called now: of a task its title, of a project too, of a person or an inquiry the name. */
  title: string;
  /** Of a task, its number in the project: 12 in `HBP-12`. */
  taskNumber: number | null;
  project: ProjectName | null;
  /** Who caused it; null for the server itself, and for somebody who is gone. */
  actor: Person | null;
  createdAt: string;
  details: string | null;
  id: string;
  kind: "assigned" | "comment" | "due-soon" | "inquiry" | "mentioned" | "overdue" | "project-status" | "repository-trouble" | "request" | "request-decided" | "sign-off-asked" | "sign-off-decided" | "sign-up-waiting" | "status-update";
  readAt: string | null;
}

/** A new notification, or null where others were read or are gone; and how many are unread now. */
export interface NotificationChange {
  notification: Notification | null;
  unread: number;
}

export interface NotificationPage {
  /** Newest first, 50 a page. */
  items: Notification[];
  nextCursor: string | null;
  /** Of all of them, whatever the page. */
  unread: number;
}

/** Whether the inbox shows a kind, and when it is mailed. */
export interface NotificationPreference {
  inApp: boolean;
  mail: "at-once" | "daily" | "off";
}

export interface NotificationPreferences {
  assigned: NotificationPreference;
  comment: NotificationPreference;
  "due-soon": NotificationPreference;
  inquiry: NotificationPreference;
  mentioned: NotificationPreference;
  overdue: NotificationPreference;
  "project-status": NotificationPreference;
  "repository-trouble": NotificationPreference;
  request: NotificationPreference;
  "request-decided": NotificationPreference;
  "sign-off-asked": NotificationPreference;
  "sign-off-decided": NotificationPreference;
  "sign-up-waiting": NotificationPreference;
  "status-update": NotificationPreference;
}

/** What a notification is about: the ids that it has. */
export interface NotificationSubject {
  projectId?: string;
  taskId?: string;
  commentId?: string;
  conversationId?: string;
  userId?: string;
  inquiryId?: string;
  signOffId?: string;
  requestId?: string;
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

/** A conversation of somebody who is no active admin any more, for the other admins: who it is between, and nothing that was said. */
export interface OrphanedConversation {
  conversationId: string;
  owner: Person;
  otherUser: Person;
  cover: ConversationCover | null;
}

/** What anyone who shares a project may know about a person: id, name, type and picture; no email, no phone. */
export interface Person {
  /** The display name. */
  name: string;
  accountType: "admin" | "client" | "user";
  id: string;
  profileImgLink: string | null;
}

/** Everything the product holds about a person, for that person: what the privacy policy promises to hand out. */
export interface PersonExport {
  exportedAt: string;
  profile: {
    accessLevel: string | null;
    accountStatus: "active" | "inactive" | "pending" | "rejected";
    accountType: "admin" | "client" | "user";
    address: string;
    age: number | null;
    agreeToTerms: boolean;
    createdAt: string;
    decidedAt: string | null;
    decidedBy: string | null;
    displayName: string | null;
    email: string;
    emailPresumed: boolean;
    emailVerified: boolean;
    id: string;
    invitedAt: string | null;
    mobile: string | null;
    name: string;
    profileImgLink: string | null;
    termsAcceptedAt: string | null;
    termsVersion: string | null;
    unreadMail: boolean;
    updatedAt: string;
    username: string;
  };
  signsInWith: string[];
  /** Since when an authenticator app is asked for a code; null while none is. */
  twoFactorSince: string | null;
  sessions: {
    id: string;
    /** The browser's own description, to be read by a parser; null when it sent none. */
    userAgent: string | null;
    ipAddress: string | null;
    createdAt: string;
    expiresAt: string;
  }[];
  apiKeys: {
    name: string;
    scope: "read" | "write";
    createdAt: string;
    /** Null for one that stands until it is revoked. */
    expiresAt: string | null;
    /** To the minute; null while it has not been used. */
    lastUsedAt: string | null;
  }[];
  /** Projects that name the person, and how. */
  projects: {
    id: string;
    key: string;
    title: string;
    roles: string[];
  }[];
  tasks: {
    id: string;
    projectId: string;
    number: number;
    title: string;
    roles: string[];
  }[];
  /** Lines of projects' histories that tell of the person. */
  history: {
    at: string;
    kind: string;
    projectId: string;
    taskId: string | null;
    byThem: boolean;
  }[];
  /** What the person wrote to others. */
  messages: {
    at: string;
    conversationId: string;
    seq: number;
    text: string;
  }[];
  /** What the person commented on; the names of those mentioned are left out. */
  comments: {
    at: string;
    projectId: string;
    taskId: string | null;
    text: string;
  }[];
  /** What the person told clients about projects. */
  statusUpdates: {
    at: string;
    projectId: string;
    health: string;
    text: string;
  }[];
  /** Templates that the person saved. */
  templates: {
    at: string;
    title: string;
  }[];
  /** What the person asked for in projects, and what became of it. */
  requests: {
    at: string;
    id: string;
    projectId: string;
    title: string;
    text: string;
    urgency: string;
    status: string;
  }[];
  /** What the person asked back about requests, or answered. */
  requestReplies: {
    at: string;
    requestId: string;
    text: string;
  }[];
  /** What the person asked to be signed off, was asked to, or decided. */
  signOffs: {
    at: string;
    id: string;
    projectId: string;
    askedBy: string;
    signerId: string;
    note: string;
    status: string;
    decidedBy: string | null;
    decidedAt: string | null;
    reason: string | null;
  }[];
  /** What the person uploaded and has not deleted. */
  files: {
    at: string;
    name: string;
    size: number;
    type: string;
    projectId: string | null;
    taskId: string | null;
    requestId: string | null;
  }[];
  /** What the person was notified of, also where only a mail was wanted (`inApp` false), with the ids of what it is about. */
  notifications: {
    at: string;
    kind: "assigned" | "comment" | "due-soon" | "inquiry" | "mentioned" | "overdue" | "project-status" | "repository-trouble" | "request" | "request-decided" | "sign-off-asked" | "sign-off-decided" | "sign-up-waiting" | "status-update";
    projectId: string | null;
    taskId: string | null;
    commentId: string | null;
    conversationId: string | null;
    inquiryId: string | null;
    requestId: string | null;
    signOffId: string | null;
    personId: string | null;
    details: string | null;
    inApp: boolean;
    readAt: string | null;
  }[];
  /** What the person has chosen for a kind of notification; for the others the defaults hold. */
  notificationPreferences: {
    kind: "assigned" | "comment" | "due-soon" | "inquiry" | "mentioned" | "overdue" | "project-status" | "repository-trouble" | "request" | "request-decided" | "sign-off-asked" | "sign-off-decided" | "sign-up-waiting" | "status-update";
    inApp: boolean;
    mail: "at-once" | "daily" | "off";
  }[];
  /** What the person follows, or has stopped following. */
  follows: {
    projectId: string;
    taskId: string | null;
    isFollowing: boolean;
  }[];
  /** Where browsers of the person take push notifications, and since when. */
  pushSubscriptions: {
    since: string;
    endpoint: string;
  }[];
  /** Since when there is a private address of the person's calendar; null while there is none. */
  calendarSince: string | null;
  /** Up to when the person has seen what is new on their start page; null: never said. */
  seenUpTo: string | null;
  /** Up to which message the person has read. */
  conversationReads: {
    conversationId: string;
    upToSeq: number;
  }[];
  /** Up to which comment the person has read. */
  commentReads: {
    projectId: string;
    taskId: string | null;
    upToSeq: number;
  }[];
  /** What was written on the public pages with the person's address. */
  inquiries: {
    at: string;
    kind: string;
    name: string;
    company: string | null;
    phone: string | null;
    text: string;
  }[];
  /** Open invitations of the person's address. */
  invitations: {
    at: string;
    expiresAt: string;
    name: string;
  }[];
  audit: {
    at: string;
    kind: string;
    byThem: boolean;
  }[];
}

/**
 * What is true of the people one writes with at this moment and is stored nowhere. `everyone` comes first, and again whenever
 * something may have been missed: all of them who look at a page of theirs now. `typing` holds for a few seconds.
 */
export type PresenceEvent = {
  type: "everyone";
  userIds: string[];
} | {
  type: "presence";
  userId: string;
  isPresent: boolean;
} | {
  type: "typing";
  userId: string;
  conversationId: string;
};

/**
 * A project with its people: its own columns (`key` is `HBP` in `HBP-12`; send `version` back with an edit, an older one is
 * a conflict) and what belongs to it.
 */
export interface Project {
  client: Person | null;
  /** Further people of the client, who see what the client sees and may do what the client may: ids in the order of the form. */
  clientPeople: string[];
  /** User ids in the order of the form. */
  assignedTo: string[];
  managers: string[];
  /** Whoever the ids of this project and of its tasks' assignees name, once each, by username. */
  people: Person[];
  taskCounts: {
    total: number;
    completed: number;
  };
  /** What its client sees of its commits; null for clients. */
  commitView: CommitView | null;
  canEdit: boolean;
  clientCollaboration: boolean;
  clientId: string | null;
  createdAt: string;
  createdBy: string;
  description: string;
  dueDate: string | null;
  githubRepo: string | null;
  id: string;
  key: string;
  liveLink: string | null;
  projectType: string | null;
  startDate: string;
  status: "cancelled" | "completed" | "inProgress" | "on-hold" | "todo";
  statusReminder: boolean;
  title: string;
  updatedAt: string;
  version: number;
}

/** `project`: its own fields or people; `tasks`: something below it; `removed`: gone, or no longer visible. */
export interface ProjectChange {
  projectId: string;
  change: "project" | "removed" | "tasks";
  kind: "people-changed" | "project-changed" | "removed" | "resync" | "task-changed" | "task-completed" | "task-created" | "task-moved" | "task-removed";
  /** Of the kinds about one task. */
  taskId: string | null;
  /** As it is now; null once removed. */
  project: Project | null;
  /** As it is now; null for a removed task, and of the kinds that are not about one task. */
  task: Task | null;
  /** Of a `resync` that is several known changes made at once: what has become of each task and of the project itself. */
  steps?: ProjectChangeStep[];
}

export interface ProjectChangeStep {
  kind: "people-changed" | "project-changed" | "removed" | "resync" | "task-changed" | "task-completed" | "task-created" | "task-moved" | "task-removed";
  /** Of the kinds about one task. */
  taskId: string | null;
  /** As it is now; null for a removed task, and of the kinds that are not about one task. */
  task: Task | null;
}

/** Of everything the filter and the search match, not of one page. `todo` holds on-hold and cancelled too. */
export interface ProjectCounts {
  todo: number;
  inProgress: number;
  completed: number;
}

/** One line of a project's history. */
export interface ProjectEvent {
  id: number;
  at: string;
  kind: "project.created" | "project.updated" | "task.completed" | "task.created" | "task.deleted" | "task.reopened" | "task.updated";
  project: ProjectName;
  /** Null for a person who is gone. */
  actor: Person | null;
  /** As it was called at that time; the task may be gone. */
  task: {
    id: string;
    number: number;
    title: string;
  } | null;
  changes: FieldChange[];
}

export interface ProjectHistory {
  /** Newest first, 50 a page. */
  items: ProjectEvent[];
  /** Whoever the changes name, once each. */
  people: Person[];
  nextCursor: string | null;
}

/** What names a project wherever something of it stands alone: `HBP`, Harbour booking portal. */
export interface ProjectName {
  id: string;
  key: string;
  title: string;
}

export interface ProjectPage {
  /** Newest first, 500 at most. */
  items: Project[];
  nextCursor: string | null;
  counts: ProjectCounts;
}

/** A project to begin others from, without its tasks. */
export interface ProjectTemplate {
  description: string;
  /** The due day of a project that is made of it, in days after its start; null for none. */
  dueAfterDays: number | null;
  taskCount: number;
  /** Whoever it names and can be on a project now: assigned, managing, or on a task. */
  people: Person[];
  /** Whoever it names and cannot, such as those who are no longer active: a new project goes without them. */
  leftOut: Person[];
  createdBy: Person;
  /** For who saved it, and admins. */
  canDelete: boolean;
  createdAt: string;
  id: string;
  title: string;
}

/** How many repositories will be read now, and how many were read within the last minute and have to wait for it to pass. */
export interface RefreshAnswer {
  now: number;
  later: number;
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

/** A repository that could not be read at the last try; commits from before it are shown all the same. */
export interface RepositoryProblem {
  projectId: string;
  /** `owner/name`; for a client of a project that shows no titles the sign of a masked word. */
  repo: string;
  kind: "auth" | "not-found" | "other" | "rate-limit";
  /** Of HTTP; null when there was no answer. */
  status: number | null;
}

/** What a client asks for in a project, as one reader sees it. */
export interface Request {
  /** Those of the request itself, in their order. */
  files: File[];
  /** Oldest first. */
  thread: RequestReply[];
  turn: Turn;
  project: ProjectName;
  /** The project's client. */
  client: Person | null;
  /** Everybody whom it names by id: author, who decided, who wrote in its thread. */
  people: Person[];
  /** `HBP-12`, of the task that it became; null once that is gone. */
  taskKey: string | null;
  /** What the request that it repeats is called. */
  duplicateOfTitle: string | null;
  /** Where its message stands, for those who take part in that conversation. */
  conversationId: string | null;
  /** Whether the reader may accept, ask back, decline or mark as duplicate, while it is new or asked. */
  canDecide: boolean;
  /** Whether the reader may answer in its thread, while it is new or asked. */
  canAnswer: boolean;
  createdAt: string;
  createdBy: string;
  decidedAt: string | null;
  decidedBy: string | null;
  duplicateOf: string | null;
  id: string;
  messageId: string | null;
  projectId: string;
  reason: string | null;
  status: "accepted" | "asked" | "declined" | "duplicate" | "new";
  taskId: string | null;
  text: string;
  title: string;
  urgency: "high" | "low" | "normal";
}

/** A request that is new or has changed, as it is now. Null: one or more, unknown which: read the lists again. */
export interface RequestChange {
  request: Request | null;
}

/** How many wait: of those that the reader may decide about, or for clients of their own. */
export interface RequestCounts {
  /** For the firm to decide, also because the client may not answer what was asked back. */
  new: number;
  /** For the client to answer. */
  asked: number;
}

/** What the firm asked back, or the client answered. */
export interface RequestReply {
  authorId: string;
  text: string;
  createdAt: string;
}

/** The first event of a stream that was opened with a cursor: whether all changes since are among the events that follow. */
export interface ResumeEvent {
  type: "resumed" | "resync";
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

/** One of the servers that share the database. */
export interface ServerProcess {
  /** New with each start. */
  id: string;
  version: string;
  node: string;
  /** The name of its machine. */
  host: string;
  startedAt: string;
  /** When it last reported; the one that answers: now. */
  seenAt: string;
  memoryBytes: number;
  sockets: number;
  eventStreams: number;
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

/** What a client was asked to sign off. */
export interface SignOff {
  record: {
    project: {
      id: string;
      key: string;
      title: string;
    };
    /** The text of the question, who asked, and when. */
    question: string;
    askedBy: string;
    askedAt: string;
    signer: {
      id: string;
      name: string;
    };
    /** The whole project, or some of its tasks. */
    scope: "project" | "tasks";
    /** By number. */
    tasks: {
      id: string;
      number: number;
      title: string;
      status: string;
      dueDate: string | null;
    }[];
    /**
     * From the first to the last commit, of the repository or of those that name the tasks. Without ends where the client sees counts
     * only; empty where the client sees no commits, and without any.
     */
    commits: {
      repository: string;
      count: number;
      first: {
        sha: string;
        at: string;
      } | null;
      last: {
        sha: string;
        at: string;
      } | null;
    }[];
    liveLink: string | null;
    /** Of the project and of the tasks, as far as clients see them, in the order in which they were attached; `hash` is SHA-256. */
    files: {
      id: string;
      name: string;
      size: number;
      hash: string;
    }[];
  };
  /** Stands for this very record; nothing can be read out of it. Send it back with an approval: another one is a conflict. */
  version: number;
  /** What has changed since the approval; null while nothing has, and of what is not approved. */
  changedAfter: SignOffChange[] | null;
  /**
   * The client's while it is asked and the project lets them decide; the firm's once they want changes, until it asks again or the
   * project is completed; nobody's of what is approved or withdrawn, and without the project. `answerBy` is always null.
   */
  turn: Turn;
  /** Whoever asked, was asked and decided, once each, under their present names. */
  people: Person[];
  isProjectGone: boolean;
  /** Whether the reader may approve it or request changes now, and whether the reader may withdraw it. */
  canDecide: boolean;
  canWithdraw: boolean;
  askedAt: string;
  askedBy: string;
  decidedAt: string | null;
  decidedBy: string | null;
  id: string;
  note: string;
  projectId: string;
  reason: string | null;
  signerId: string;
  status: "approved" | "asked" | "changes-requested" | "withdrawn";
  taskIds: string[] | null;
}

/** One difference between a record and the work: of which task, file or repository, and what it was and is. */
export interface SignOffChange {
  kind: "commits" | "file-added" | "file-removed" | "live-link" | "project-deleted" | "project-title" | "task-added" | "task-due-date" | "task-removed" | "task-status" | "task-title";
  /** Of the task or file that has come or gone, whose name others may have too; null otherwise. */
  id: string | null;
  name: string;
  from: string | null;
  to: string | null;
}

/** What others have done since the caller was here, of what the caller may see. */
export interface SinceLastVisit {
  /** Up to when the caller has seen everything; the moment of the call on a first visit. */
  since: string;
  /** The moment of this answer: what to mark as seen. */
  upTo: string;
  /** Null for users, who get no commits. To a client whose project shows counts only, `count` is more than there are ids. */
  commits: ChangeCount | null;
  datesMoved: ChangeCount;
  messages: ChangeCount;
  tasksDone: ChangeCount;
}

/** A project whose link names no repository on GitHub, for those who can mend it. */
export interface SkippedLink {
  project: ProjectName;
  link: string;
}

/** What was written about how a project stands; it is never changed. */
export interface StatusUpdate {
  author: Person;
  authorId: string;
  health: "at-risk" | "off-track" | "on-track";
  id: string;
  projectId: string;
  sentAt: string;
  text: string;
}

/** What a manager begins with: a guess at the health, and what was done, moved and committed since the last update. */
export interface StatusUpdateDraft {
  /** Nothing later is in it: sent with the update, the next draft goes on from there. */
  upTo: string;
  health: "at-risk" | "off-track" | "on-track";
  text: string;
}

/** The servers, their database and their work, as admins see them. Settings are those of the server that answers. */
export interface SystemStatus {
  /** Of the server that answers. */
  version: string;
  node: string;
  startedAt: string;
  /** All that have reported within the last minutes, the oldest first. */
  processes: ServerProcess[];
  database: {
    version: string;
    sizeBytes: number;
    connections: number;
    maxConnections: number;
  };
  backups: {
    last: LastBackup | null;
    /** When the next nightly one is due; null without BACKUP_DIR. */
    nextAt: string | null;
    /** One is being made, or about to be. `since` is null of a nightly one. */
    running: {
      since: string | null;
    } | null;
    /** BACKUP_DIR is set. */
    isNightly: boolean;
    /** BACKUP_PASSPHRASE is set: backups hold the secrets, encrypted. */
    holdSecrets: boolean;
  };
  mail: {
    /** Mails that wait to be sent, also those that wait for another try. */
    queued: number;
    oldestAt: string | null;
    /** Of those, how many have failed at least once. */
    retrying: number;
    /** Handed to the mail server yesterday and today (UTC), and given up after two days of trying. */
    sent: number;
    givenUp: number;
    /** The kind of the last error while no mail can be sent. */
    lastError: string | null;
    /** False: each mail is a file in `DATA_DIR/outbox` and reaches nobody. */
    isConfigured: boolean;
    from: string;
  };
  jobs: JobStatus[];
  /** Open connections of all processes. */
  streams: {
    sockets: number;
    eventStreams: number;
  };
  /** The slowest of the last hour in all processes, by `p99Ms`; at most 15. */
  procedures: {
    name: string;
    count: number;
    p50Ms: number;
    p99Ms: number;
  }[];
  /** The most pressing first. */
  warnings: SystemWarning[];
}

/** Something that an admin should see to: what is wrong, and what to do, in a sentence or two each. */
export interface SystemWarning {
  text: string;
  action: string;
}

/**
 * A task: its own columns (`number` is 12 in `HBP-12`; `rank` sorts as plain text; `checklist` in the order shown), its labels
 * and who does it.
 */
export interface Task {
  checklist: ChecklistItem[];
  /** Exactly "status is completed". */
  completed: boolean;
  assignedTo: string[];
  labelIds: string[];
  /** Commits that name it, newest first, five at most. In a project's list and by key only: answers to changes leave it out. */
  commits?: TaskCommit[];
  createdAt: string;
  createdBy: string;
  description: string;
  dueDate: string | null;
  id: string;
  number: number;
  priority: "high" | "low" | "medium" | "none" | "urgent";
  projectId: string;
  rank: string;
  status: "completed" | "inProgress" | "todo";
  title: string;
  version: number;
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

/** An active user or admin, or a client. */
export interface TeamMember {
  /** Null for clients. */
  email: string | null;
  /** By title; only what the caller may see. */
  projects: {
    id: string;
    title: string;
  }[];
  /** The display name. */
  name: string;
  accountType: "admin" | "client" | "user";
  id: string;
  profileImgLink: string | null;
}

/** What became of a test email. */
export interface TestMailResult {
  /** "written": there is no mail server, and mails are files in `DATA_DIR/outbox`. */
  outcome: "accepted" | "refused" | "written";
  /** What the mail server answered, or what went wrong on the way to it. */
  answer: string;
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
  lastResult: "accepted" | "refused" | "unreadable" | null;
  lastResultAt: string | null;
}

/** Who owes the next move, and for how long already. */
export interface Turn {
  owes: "client" | "firm" | "nobody";
  /** The moment of the first thing that was not answered; null: nobody owes anything. */
  since: string | null;
  /** How much business time has passed since, in minutes and in whole business days. */
  businessMinutes: number;
  businessDays: number;
  /** By when the firm has promised its move: one business day after `since`. Null unless the firm owes it, and of changes that a client wants: nobody promises a time for those. */
  answerBy: string | null;
  /** How the time goes on, for a page that stays open; the same for all of a business day. Null: nobody owes anything. */
  clock: TurnClock | null;
}

/** After `minutesBefore`, business time runs from `runsFrom` until `runsUntil`, the end of the business day that is now or comes next. */
export interface TurnClock {
  minutesBefore: number;
  runsFrom: string;
  runsUntil: string;
  minutesPerDay: number;
}

/** What sets up an authenticator app, shown once. `qrCode` is an SVG of `uri`. */
export interface TwoFactorSetup {
  secret: string;
  uri: string;
  qrCode: string;
  recoveryCodes: string[];
}

/** One's own two-factor sign-in; `required` is the organisation's setting for one's type of account. */
export interface TwoFactorStatus {
  enabled: boolean;
  required: boolean;
  recoveryCodesLeft: number;
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

/** Three of four visits were at least as good as `p75`: milliseconds, of CLS the score. */
export interface VitalSummary {
  route: string;
  vital: "CLS" | "FCP" | "INP" | "LCP" | "TTFB";
  p75: number;
  /** How many visits it is made of. */
  count: number;
}

/** Something of a client's that waits for the firm. */
export interface WaitingItem {
  subject: {
    conversationId: string;
  } | {
    requestId: string;
  } | {
    signOffId: string;
  };
  /** Of the request; the beginning of the first message that was not answered, or of what is to be changed before a sign-off. */
  title: string;
  client: Person;
  project: {
    id: string;
    key: string;
    title: string;
  } | null;
  since: string;
  /** By when the firm has promised to answer; null of changes that a client wants. */
  answerBy: string | null;
  /** How much business time has passed since, in minutes and in whole business days. */
  businessMinutes: number;
  businessDays: number;
  /** How the time goes on, for a page that stays open; the same for all of a business day. Null: nobody owes anything. */
  clock: TurnClock | null;
}

/** An address that is sent what happens in the organisation; its secret is never read back. */
export interface Webhook {
  id: string;
  url: string;
  kinds: ("assigned" | "comment" | "due-soon" | "inquiry" | "mentioned" | "overdue" | "project-status" | "repository-trouble" | "request" | "request-decided" | "sign-off-asked" | "sign-off-decided" | "sign-up-waiting" | "status-update")[];
  createdAt: string;
  createdBy: Person;
}

/** What became of one event for one webhook. */
export interface WebhookDelivery {
  id: string;
  kind: "assigned" | "comment" | "due-soon" | "inquiry" | "mentioned" | "overdue" | "project-status" | "repository-trouble" | "request" | "request-decided" | "sign-off-asked" | "sign-off-decided" | "sign-up-waiting" | "status-update" | "test";
  createdAt: string;
  status: "delivered" | "failed" | "waiting";
  attempts: number;
  /** The HTTP status of the last answer; null without one. */
  lastStatus: number | null;
  /** Why the last attempt failed. */
  lastError: string | null;
  lastAttemptAt: string | null;
  /** Null once it is delivered or given up. */
  nextAttemptAt: string | null;
}

/** Every procedure, by router and name. */
export interface Api {
  auth: {
    /** Changes one's own password and ends every other session. */
    changePassword: Mutation<{
      currentPassword: string;
      newPassword: string;
    }, {
      ok: boolean;
    }>;
    /**
     * A fresh proof of who calls, by password or code: what answers 403, `reauthentication-required`, is open to this session
     * `until` then.
     */
    confirmIdentity: Mutation<{
      password?: string | undefined;
      code?: string | undefined;
    }, {
      until: string;
    }>;
    /** Whether one's own two-factor sign-in is on, and whether the organisation requires it. */
    twoFactorStatus: Query<void, TwoFactorStatus>;
    /**
     * Begins to set up two-factor sign-in. Only this answer contains the secret, its `otpauth:` address, that as a QR code (SVG), and
     * the recovery codes. No sign-in asks for a code before `confirmTwoFactor`.
     */
    enableTwoFactor: Mutation<{
      password: string;
    }, TwoFactorSetup>;
    /** Turns two-factor sign-in on, with a code of the app that was set up. */
    confirmTwoFactor: Mutation<{
      code: string;
    }, {
      ok: boolean;
    }>;
    /** Turns two-factor sign-in off and forgets remembered browsers. */
    disableTwoFactor: Mutation<{
      password: string;
      code: string;
    }, {
      ok: boolean;
    }>;
    /** New recovery codes. The former ones no longer work. */
    renewRecoveryCodes: Mutation<void, {
      recoveryCodes: string[];
    }>;
    /** One's own sessions, newest first. */
    sessions: Query<void, SessionView[]>;
    /** One's own valid API keys, newest first. */
    apiKeys: Query<void, ApiKeyView[]>;
    /** Creates an API key. Only this answer contains the key itself. */
    createApiKey: Mutation<{
      name: string;
      scope: "read" | "write";
      expiresAt?: string | Date | null | undefined;
    }, CreatedApiKey>;
    /** Revokes a key and those in its `mayHaveMade`. Their streams end. */
    revokeApiKey: Mutation<{
      keyId: string;
    }, {
      ok: boolean;
    }>;
    /** Ends one of one's own sessions, its streams included. */
    revokeSession: Mutation<{
      sessionId: string;
    }, {
      ok: boolean;
    }>;
    /** Ends all of one's own other sessions and answers how many. API keys stay. */
    revokeOtherSessions: Mutation<void, {
      ended: number;
    }>;
    /** The signed-in person, or null. A refused account gets the reason once; its session ends. */
    me: Query<void, Me | null>;
    /**
     * Makes a pending user, who gets an email with a link that confirms the address. A taken address gets the same answer after the
     * same time, and its owner another email.
     */
    signUp: Mutation<{
      name: string;
      email: string;
      mobile: string;
      password: string;
      confirmPassword: string;
      agreeToTerms: true;
    }, {
      ok: boolean;
    }>;
    /**
     * Sets the session's cookie, so over HTTP only. A wrong password and an unknown address are one UNAUTHORIZED; the
     * account's status is answered only to the right password. With two-factor sign-in, and no remembered browser, it answers a
     * `challenge` for `auth.verifyTwoFactor` instead.
     */
    signIn: Mutation<{
      email: string;
      password: string;
      rememberMe: boolean;
    }, {
      twoFactor: true;
      challenge: string;
      user?: undefined;
    } | {
      twoFactor?: undefined;
      challenge?: undefined;
      user: Me;
    }>;
    /**
     * The second step of a sign-in: the code of the authenticator app, or a recovery code. Sets the session's cookie, so over HTTP
     * only. A challenge is good for ten minutes and one sign-in; each code once.
     */
    verifyTwoFactor: Mutation<{
      challenge: string;
      code: string;
      rememberBrowser: boolean;
    }, {
      user: Me;
    }>;
    /** Where to send the browser; it comes back signed in, or to /login with a notice. */
    signInWithGoogle: Mutation<{
      intent: "signIn" | "signUp";
      redirect?: string | undefined;
    }, {
      url: string;
    }>;
    /** Ends the session and its streams. Works without a session too; an API key has none to end. */
    signOut: Mutation<void, {
      ok: boolean;
    }>;
    /** Sends a reset link. The answer and its time are the same for every address. */
    requestPasswordReset: Mutation<{
      email: string;
    }, {
      ok: boolean;
    }>;
    /** Sets a new password. Works once per link, ends every session and signs nobody in. */
    resetPassword: Mutation<{
      token: string;
      password: string;
      confirmPassword: string;
    }, {
      ok: boolean;
    }>;
    /** Confirms an address with the link mailed after sign-up. Works once per link and signs nobody in. */
    confirmEmail: Mutation<{
      token: string;
    }, {
      ok: boolean;
    }>;
    /** Sends another confirmation link. The answer and its time are the same for every address. */
    resendConfirmation: Mutation<{
      email: string;
    }, {
      ok: boolean;
    }>;
    /** Opens the account of an invitation with that password. Works once per link and signs nobody in: `email` is what to sign in with. */
    acceptInvitation: Mutation<{
      token: string;
      password: string;
      confirmPassword: string;
      agreeToTerms: true;
    }, {
      email: string;
    }>;
  };
  users: {
    /** Removes somebody's authenticator, recovery codes and remembered browsers, so that their password is enough again. */
    resetTwoFactor: Mutation<{
      userId: string;
    }, {
      ok: boolean;
    }>;
    /** How many open tasks, managed projects, conversations and undecided requests somebody holds. */
    holdings: Query<{
      userId: string;
    }, Holdings>;
    /** Gives what somebody holds to somebody else. Conversations go to an admin only. Returns what is left. */
    handOverAll: Mutation<{
      userId: string;
      toUserId: string;
      parts?: ("conversations" | "managerOf" | "tasks")[] | undefined;
    }, Holdings>;
    /**
     * Invites somebody by email. Accepting within 7 days opens an active account of that type in the chosen projects. A known address
     * is a CONFLICT, `account-exists`; one that is invited already `already-invited`.
     */
    invite: Mutation<{
      name: string;
      email: string;
      accountType: "admin" | "client" | "user";
      projectIds?: string[] | undefined;
    }, {
      ok: boolean;
    }>;
    /** Invitations that nobody has accepted or withdrawn, newest first. */
    invitations: Query<void, Invitation[]>;
    /** Sends a new link, valid for 7 days, in the name of the caller. */
    resendInvitation: Mutation<{
      invitationId: string;
    }, {
      ok: boolean;
    }>;
    /** Withdraws an invitation. Its links stop working. */
    withdrawInvitation: Mutation<{
      invitationId: string;
    }, {
      ok: boolean;
    }>;
    /** Invites an active person who has nothing to sign in with, as imported people have. */
    sendInvitation: Mutation<{
      userId: string;
    }, {
      ok: boolean;
    }>;
    /** All active people, with those of their projects that the caller may see. */
    team: Query<void, TeamMember[]>;
    /** Accounts, newest first, in pages. `rejected` includes inactive ones. */
    list: Query<{
      status?: "active" | "pending" | "rejected" | undefined;
      q?: string | undefined;
      cursor?: string | null | undefined;
      /** Sent along by tRPC's hook for pages; there is one way only. */
      direction?: "forward" | undefined;
    }, UserPage>;
    /** Active users and admins, who can be assigned to a project. */
    assignable: Query<void, Person[]>;
    /** Active clients, who can be a project's client. */
    clients: Query<void, Person[]>;
    /** Approves a pending account as a user, client or admin. */
    approve: Mutation<{
      userId: string;
      accountType: "admin" | "client" | "user";
    }, AdminUser>;
    /** Rejects a pending account. */
    reject: Mutation<{
      userId: string;
    }, AdminUser>;
    /** Deactivates an active account. Its sessions, API keys and streams end. */
    deactivate: Mutation<{
      userId: string;
    }, AdminUser>;
    /** Reactivates a rejected or inactive account. */
    reactivate: Mutation<{
      userId: string;
    }, AdminUser>;
    /** Changes the type of an account. Its sessions end. */
    setType: Mutation<{
      userId: string;
      accountType: "admin" | "client" | "user";
    }, AdminUser>;
    /** Everything held about a person. Audited, so it is a mutation. */
    exportPerson: Mutation<{
      userId: string;
    }, PersonExport>;
    /** Opens a client's portal for an admin, who then reads with `asClientId`. Audited, so it is a mutation. */
    openClientView: Mutation<{
      clientId: string;
    }, {
      client: Person;
    }>;
    /** Removes what identifies a person, who can no longer sign in. Projects, tasks and the audit keep the id. */
    erasePerson: Mutation<{
      userId: string;
    }, {
      ok: boolean;
    }>;
    /** Changes one's own profile. A missing key stays unchanged, null clears. */
    updateProfile: Mutation<{
      name?: string | undefined;
      displayName?: string | undefined;
      mobile?: string | null | undefined;
      age?: number | null | undefined;
      address?: string | undefined;
      profileImgLink?: string | null | undefined;
      unreadMail?: boolean | undefined;
    }, {
      ok: boolean;
    }>;
    /** Makes an uploaded picture one's own, instead of the one before; null for none. */
    setPhoto: Mutation<{
      fileId: string | null;
    }, {
      ok: boolean;
    }>;
    /** Emits when accounts have changed and lists should be refetched. */
    onChange: Subscription<{
      lastEventId?: string | null | undefined;
    } | undefined, AccountChange>;
  };
  organisation: {
    /** The organisation's settings. What is required of admins is for admins. */
    get: Query<void, OrganisationSettings>;
    /** Changes the organisation's settings. A missing key stays unchanged. */
    update: Mutation<{
      requireTwoFactorForAdmins?: boolean | undefined;
      timeZone?: string | undefined;
      businessHours?: {
        days?: number[] | undefined;
        from?: string | undefined;
        to?: string | undefined;
      } | undefined;
      holidays?: string[] | undefined;
      holidaysBefore?: string[] | undefined;
    }, OrganisationSettings>;
  };
  projects: {
    /** Newest first, 500 a page. The scope `all` is for admins. */
    list: Query<{
      asClientId?: string | undefined;
      scope: "all" | "mine";
      filter?: "all" | "assigned" | "client" | "internal" | "managed" | undefined;
      q?: string | undefined;
      cursor?: string | null | undefined;
    }, ProjectPage>;
    /** One project, if the caller may see it. */
    byId: Query<{
      asClientId?: string | undefined;
      projectId: string;
    }, Project>;
    /** What is due within some days, both inclusive, 400 days at most. */
    calendar: Query<{
      from: string;
      to: string;
    }, Calendar>;
    /** What happened, newest first, 50 a page: to one task, to one project, or to all that the caller takes part in. */
    history: Query<{
      asClientId?: string | undefined;
      projectId?: string | undefined;
      taskId?: string | undefined;
      cursor?: string | null | undefined;
      /** Sent along by the browser's query library; only forward is there. */
      direction?: "forward" | undefined;
    }, ProjectHistory>;
    /**
     * What may be worth a look, the newest first, 500 at most: in one project, or in all that the caller manages; for admins in all. For
     * its managers and admins. Nothing follows from it by itself.
     */
    findings: Query<{
      projectId?: string | undefined;
    } | undefined, Finding[]>;
    /** For its managers and admins: whether the live link answers; null without one, and while the project is not in work. */
    livePulse: Query<{
      projectId: string;
    }, LiveLinkPulse | null>;
    /** With its first tasks, in one step. The creator is always among its people. */
    create: Mutation<{
      title: string;
      description: string;
      status: "cancelled" | "completed" | "inProgress" | "on-hold" | "todo";
      startDate: string;
      dueDate?: string | null | undefined;
      clientId?: string | null | undefined;
      clientPeople?: string[] | undefined;
      githubRepo?: string | null | undefined;
      liveLink?: string | null | undefined;
      projectType?: string | null | undefined;
      assignedTo: string[];
      managers: string[];
      tasks?: {
        title: string;
        description: string;
        status?: "completed" | "inProgress" | "todo" | undefined;
        dueDate?: string | null | undefined;
      }[] | undefined;
    }, Project>;
    /** `version` is the one the edit started from: a stale one is a CONFLICT that carries the project as it is now. */
    update: Mutation<{
      projectId: string;
      version: number;
      patch: {
        title?: string | undefined;
        description?: string | undefined;
        status?: "cancelled" | "completed" | "inProgress" | "on-hold" | "todo" | undefined;
        startDate?: string | undefined;
        dueDate?: string | null | undefined;
        clientId?: string | null | undefined;
        clientPeople?: string[] | undefined;
        githubRepo?: string | null | undefined;
        liveLink?: string | null | undefined;
        projectType?: string | null | undefined;
        assignedTo?: string[] | undefined;
        managers?: string[] | undefined;
        clientCollaboration?: boolean | undefined;
        commitView?: {
          mode: "counts" | "hidden" | "titles";
          maskedWords: string[];
        } | undefined;
        statusReminder?: boolean | undefined;
      };
    }, Project>;
    /** With all its tasks, for good. */
    delete: Mutation<{
      projectId: string;
    }, {
      id: string;
    }>;
    /**
     * Changes of one project, or of all that the caller may see, with the project and the task as they are now. After an
     * interruption, and for `resync`, what is shown of them is to be read again.
     */
    onChange: Subscription<{
      lastEventId?: string | null | undefined;
      projectId?: string | undefined;
    } | undefined, ProjectChange>;
    /** The organisation's templates, by title, for users and admins. */
    templates: Query<void, ProjectTemplate[]>;
    /**
     * For its managers and admins: tasks with days counted from the start, people, labels and settings of a project, under its
     * title. Never comments, files, commits and chat, nor its client and links.
     */
    saveAsTemplate: Mutation<{
      projectId: string;
    }, {
      templateId: string;
    }>;
    /** A new project of a template, without a client. `leftOut` are people who are not active any more. */
    createFromTemplate: Mutation<{
      title: string;
      startDate: string;
      templateId: string;
    }, CopiedProject>;
    /**
     * A new project of one that the caller may see, for the same client; the rest as of a template. Client collaboration goes on where
     * the caller answers for the project, and else waits for a manager.
     */
    duplicate: Mutation<{
      title: string;
      startDate: string;
      projectId: string;
    }, CopiedProject>;
    /** For who saved it, and admins. Projects made from it stay. */
    deleteTemplate: Mutation<{
      templateId: string;
    }, {
      id: string;
    }>;
  };
  tasks: {
    /** Of one project, open ones first. */
    list: Query<{
      asClientId?: string | undefined;
      projectId: string;
    }, Task[]>;
    /** The task that a key such as `HBP-12` names, with its commits, if the caller may see it. */
    byKey: Query<{
      asClientId?: string | undefined;
      key: string;
    }, Task>;
    /** What the caller is assigned to, or for a client all of their projects' tasks: open, or completed within a day. */
    mine: Query<void, MyTasks>;
    /** Last of its project's tasks. */
    create: Mutation<{
      title: string;
      description: string;
      status?: "completed" | "inProgress" | "todo" | undefined;
      dueDate?: string | null | undefined;
      assignedTo?: string[] | undefined;
      priority?: "high" | "low" | "medium" | "none" | "urgent" | undefined;
      labelIds?: string[] | undefined;
      /** In the order shown. */
      checklist?: {
        id?: string | undefined;
        text: string;
        done?: boolean | undefined;
      }[] | undefined;
      projectId: string;
    }, Task>;
    /** With a `version`, a stale one is a CONFLICT that carries the task as it is now. */
    update: Mutation<{
      taskId: string;
      version?: number | undefined;
      patch: {
        title?: string | undefined;
        description?: string | undefined;
        status?: "completed" | "inProgress" | "todo" | undefined;
        dueDate?: string | null | undefined;
        priority?: "high" | "low" | "medium" | "none" | "urgent" | undefined;
        labelIds?: string[] | undefined;
        /** In the order shown. */
        checklist?: {
          id?: string | undefined;
          text: string;
          done?: boolean | undefined;
        }[] | undefined;
        assignedTo?: string[] | undefined;
      };
    }, Task>;
    /** Also reopens. Idempotent. */
    setCompleted: Mutation<{
      taskId: string;
      completed: boolean;
    }, Task>;
    /** Puts the task right after another one of its project; null puts it first. */
    move: Mutation<{
      taskId: string;
      afterTaskId: string | null;
    }, Task>;
    /** For good. */
    delete: Mutation<{
      taskId: string;
    }, {
      id: string;
    }>;
  };
  labels: {
    /** By name. Clients get those on tasks that they may see. */
    list: Query<void, Label[]>;
    /** On how many tasks a label is, also of projects that the caller does not see: deleting it takes it off all of them. */
    usage: Query<{
      labelId: string;
    }, LabelUsage>;
    /** At most 200. A name that is taken, in capitals or not, is a CONFLICT that carries the label that has it. */
    create: Mutation<{
      name: string;
      colour: "blue" | "green" | "grey" | "orange" | "red";
    }, Label>;
    /** A missing key stays as it is. */
    update: Mutation<{
      labelId: string;
      name?: string | undefined;
      colour?: "blue" | "green" | "grey" | "orange" | "red" | undefined;
    }, Label>;
    /** Also takes it off every task. */
    delete: Mutation<{
      labelId: string;
    }, {
      id: string;
    }>;
    /** All labels that the caller sees, whenever these have changed. */
    onChange: Subscription<{
      lastEventId?: string | null | undefined;
    } | undefined, LabelChange>;
  };
  chat: {
    /** The caller's own conversations, newest first. */
    conversations: Query<void, Conversation[]>;
    /** People the caller may write to: active clients and users for admins, active admins for all others. */
    recipients: Query<void, Person[]>;
    /** A page of messages, ascending by `seq`. Without `before` the newest. */
    messages: Query<{
      conversationId: string;
      before?: number | undefined;
      limit?: number | undefined;
    }, MessagePage>;
    /** Makes a message a task of a project that the caller may change; its text becomes the description. */
    toTask: Mutation<{
      messageId: string;
      projectId: string;
      title: string;
    }, Task>;
    /** Lets another admin cover a conversation: one's own, or one of somebody who is no active admin any more. */
    handOver: Mutation<{
      conversationId: string;
      toUserId: string;
      until?: string | Date | null | undefined;
    }, {
      conversationId: string;
      cover: ConversationCover;
    }>;
    /** Ends the cover of a conversation. */
    takeBack: Mutation<{
      conversationId: string;
    }, {
      conversationId: string;
    }>;
    /** Conversations of those who are no active admins any more, deactivated or of another type now: who they are between, and nothing that was said. */
    ofInactiveAdmins: Query<void, OrphanedConversation[]>;
    /** Writes a first message to a person, in the existing conversation of the two if there is one. */
    start: Mutation<{
      recipientId: string;
      text: string;
      clientMessageId: string;
      fileIds?: string[] | undefined;
    }, {
      conversation: Conversation;
      message: Message;
    }>;
    /** Idempotent by `clientMessageId`: the same key, text and files return the first message. */
    send: Mutation<{
      conversationId: string;
      text: string;
      clientMessageId: string;
      fileIds?: string[] | undefined;
    }, Message>;
    /** Moves the caller's own read mark forward, never back. */
    markRead: Mutation<{
      conversationId: string;
      upToSeq: number;
    }, {
      upToSeq: number;
    }>;
    /**
     * Admins: nobody owes an answer to what was written so far, such as a "Thanks!". `upToSeq` is the newest message that was shown;
     * when there is a newer one, nothing changes: 409, `stale-version`.
     */
    settleTurn: Mutation<{
      conversationId: string;
      upToSeq: number;
    }, {
      ok: true;
    }>;
    /** Shows the partner for some seconds that the caller types. Stores nothing. */
    noteTyping: Mutation<{
      conversationId: string;
    }, {
      ok: boolean;
    }>;
    /** Messages of one conversation and read marks, resumed after `lastEventId`. */
    onMessage: Subscription<{
      conversationId: string;
      lastEventId?: string | null | undefined;
    }, Tracked<ConversationEvent>>;
    /** The caller's conversations as they change. Read the list again after an interruption. */
    onInbox: Subscription<{
      lastEventId?: string | null | undefined;
    } | undefined, InboxChange>;
    /** Who of the caller's partners is online, and who types. */
    onPresence: Subscription<void, PresenceEvent>;
  };
  comments: {
    /** A page of the comments of a task, or of a project itself, ascending by `seq`. Without `before` the newest. */
    list: Query<{
      asClientId?: string | undefined;
      subject: {
        projectId: string;
      } | {
        taskId: string;
      };
      before?: number | undefined;
      limit?: number | undefined;
    }, CommentPage>;
    /** Active people who can see the subject and may be mentioned there: in a comment for the team, those of them who are no clients. */
    mentionable: Query<{
      subject: {
        projectId: string;
      } | {
        taskId: string;
      };
    }, Person[]>;
    /**
     * Idempotent by `clientCommentId`: the same key and content return the first comment. A client's is always one that the client
     * can see, whatever `visibility` says.
     */
    create: Mutation<{
      subject: {
        projectId: string;
      } | {
        taskId: string;
      };
      text: string;
      visibility: "client" | "team";
      clientCommentId: string;
      fileIds?: string[] | undefined;
    }, Comment>;
    /** Of one's own. With `seenEditedAt` another one than that, and another text: 409, `stale-version`, with the comment as it is. */
    update: Mutation<{
      commentId: string;
      text: string;
      seenEditedAt?: string | null | undefined;
    }, Comment>;
    /** Of one's own, or for admins anybody's. Its place stays, without text and files. Idempotent. */
    delete: Mutation<{
      commentId: string;
    }, {
      id: string;
    }>;
    /** Moves the caller's own read mark forward, never back. */
    markRead: Mutation<{
      subject: {
        projectId: string;
      } | {
        taskId: string;
      };
      upToSeq: number;
    }, {
      upToSeq: number;
    }>;
    /** Comments of one subject as they are written, edited and deleted, resumed after `lastEventId`. */
    onChange: Subscription<{
      subject: {
        projectId: string;
      } | {
        taskId: string;
      };
      lastEventId?: string | null | undefined;
      also?: ("files" | "people")[] | undefined;
    }, Tracked<DiscussionEvent>>;
  };
  signOffs: {
    /**
     * Those that are asked first, then the newest. Of one project: NOT_FOUND where the caller sees neither the project nor a sign-off of
     * it. Without one: of all projects that the caller sees, and what the caller was asked and has decided.
     */
    list: Query<{
      asClientId?: string | undefined;
      projectId?: string | undefined;
      status?: "approved" | "asked" | "changes-requested" | "withdrawn" | undefined;
      former?: true | undefined;
    }, SignOff[]>;
    /** One, with what has changed since where it is approved. */
    byId: Query<{
      asClientId?: string | undefined;
      signOffId: string;
    }, SignOff>;
    /** For managers and admins. Without `signerId` the project's client is asked. */
    ask: Mutation<{
      projectId: string;
      taskIds?: string[] | undefined;
      all?: true | undefined;
      note: string;
      signerId?: string | undefined;
    }, SignOff>;
    /** For managers and admins, while it is asked. */
    withdraw: Mutation<{
      signOffId: string;
    }, SignOff>;
    /** By the one who was asked, once. A record that has changed since `seenVersion` is a CONFLICT that carries the sign-off. */
    approve: Mutation<{
      signOffId: string;
      seenVersion?: number | undefined;
    }, SignOff>;
    /** By the one who was asked, once, with what is to be changed. */
    requestChanges: Mutation<{
      signOffId: string;
      reason: string;
    }, SignOff>;
  };
  files: {
    /**
     * What hangs on a project or a task itself, in the order in which it was attached; files of comments come with these. The newest 500,
     * or those before `cursor`: there may be some before a full page.
     */
    list: Query<{
      asClientId?: string | undefined;
      subject: {
        projectId: string;
      } | {
        taskId: string;
      };
      cursor?: string | null | undefined;
      /** Sent along by the browser's query library; only forward is there. */
      direction?: "forward" | undefined;
    }, ListedFile[]>;
    /** What the caller has uploaded, to a project or a task. A client's files are always the client's to see. Repeated, it answers the same. */
    attach: Mutation<{
      subject: {
        projectId: string;
      } | {
        taskId: string;
      };
      fileIds: string[];
      visibility: "client" | "team";
    }, ListedFile[]>;
    /** The caller's own file, for admins anybody's, from a project or a task; also one that was uploaded and hangs on nothing. */
    remove: Mutation<{
      fileId: string;
    }, {
      ok: boolean;
    }>;
  };
  requests: {
    /**
     * Newest first, of the projects that the caller sees: pages of at most 500, which hold those that wait before the decided ones. A
     * full page may have another after it: `cursor` is then the id of its last decided request, or of its last one if none is decided.
     */
    list: Query<{
      asClientId?: string | undefined;
      projectId?: string | undefined;
      taskId?: string | undefined;
      status?: "accepted" | "asked" | "declined" | "duplicate" | "new" | undefined;
      cursor?: string | null | undefined;
      /** Sent along by the browser's query library; only forward is there. */
      direction?: "forward" | undefined;
    }, Request[]>;
    /** One request with its thread, its files and what became of it. */
    byId: Query<{
      asClientId?: string | undefined;
      requestId: string;
    }, Request>;
    /** How many wait: for admins of all projects, for users of those that they manage, for clients of their own. */
    counts: Query<{
      asClientId?: string | undefined;
    } | undefined, RequestCounts>;
    /**
     * Clients need client collaboration of the project. Idempotent by `clientRequestId`: the same key and content return the first
     * request. `messageId` is of a message of the caller's own conversations.
     */
    create: Mutation<{
      projectId: string;
      title: string;
      text: string;
      urgency: "high" | "low" | "normal";
      messageId?: string | undefined;
      fileIds?: string[] | undefined;
      clientRequestId?: string | undefined;
    }, Request>;
    /** Makes the task in the request's project. Decided already: CONFLICT, with the request as it is now; so for all decisions. */
    accept: Mutation<{
      requestId: string;
      task: {
        title: string;
        description: string;
        status?: "completed" | "inProgress" | "todo" | undefined;
        dueDate?: string | null | undefined;
        assignedTo?: string[] | undefined;
        priority?: "high" | "low" | "medium" | "none" | "urgent" | undefined;
        labelIds?: string[] | undefined;
        /** In the order shown. */
        checklist?: {
          id?: string | undefined;
          text: string;
          done?: boolean | undefined;
        }[] | undefined;
      };
    }, Task>;
    /** A question to the client, in the request's thread. */
    askBack: Mutation<{
      requestId: string;
      text: string;
    }, Request>;
    /** By the client, with client collaboration. An asked request is new again. */
    answer: Mutation<{
      requestId: string;
      text: string;
    }, Request>;
    /** The client reads the reason. */
    decline: Mutation<{
      requestId: string;
      reason: string;
    }, Request>;
    /** Of another request of the same project, which is no duplicate itself. */
    markDuplicate: Mutation<{
      requestId: string;
      ofRequestId: string;
    }, Request>;
    /** Requests that the caller sees, each as it is new or has changed. */
    onChange: Subscription<{
      lastEventId?: string | null | undefined;
    } | undefined, RequestChange>;
  };
  github: {
    /** The newest commits of the projects that the caller may see, or of one of them. */
    commits: Query<{
      asClientId?: string | undefined;
      projectId?: string | undefined;
    } | undefined, CommitFeed>;
    /** Requests a sync with GitHub, for each repository at most once a minute. */
    refresh: Mutation<{
      projectId?: string | undefined;
    } | undefined, RefreshAnswer>;
    /** Emits the projects whose commits have changed. */
    onChange: Subscription<{
      lastEventId?: string | null | undefined;
      projectId?: string | undefined;
    } | undefined, ActivityChange>;
    /** The token's status, never the token itself. */
    tokenStatus: Query<void, TokenStatus>;
    /** Checks the token with GitHub and stores it encrypted. Used for the given owners only. */
    setToken: Mutation<{
      token?: string | undefined;
      owners: string[];
      ownersBefore?: string[] | undefined;
    }, TokenStatus>;
    /** Removes the token, so that only public repositories are read. */
    removeToken: Mutation<void, TokenStatus>;
  };
  inquiries: {
    /** Anyone, signed in or not. */
    submit: Mutation<{
      kind: "contact";
      name: string;
      email: string;
      company?: string | null | undefined;
      subject: "collaboration" | "other" | "partnership" | "project" | "support";
      message: string;
      website?: string | undefined;
      inquiryKey?: string | undefined;
    } | {
      kind: "application";
      name: string;
      email: string;
      phone: string;
      programme: "free-internship" | "paid-internship" | "training";
      note?: string | null | undefined;
      website?: string | undefined;
      inquiryKey?: string | undefined;
    }, {
      ok: boolean;
    }>;
    /** Newest first, by pages, of one kind or status or of all. */
    list: Query<{
      kind?: "application" | "contact" | undefined;
      status?: "answered" | "closed" | "new" | undefined;
      cursor?: string | null | undefined;
      /** Sent along by the browser's query library; only forward is there. */
      direction?: "forward" | undefined;
    }, InquiryPage>;
    /** The last decision counts; who made it is kept. */
    setStatus: Mutation<{
      inquiryId: string;
      status: "answered" | "closed" | "new";
    }, Inquiry>;
    /** Says that requests came in or have another status: the lists are to be read again. */
    onChange: Subscription<{
      lastEventId?: string | null | undefined;
    } | undefined, InquiryChange>;
  };
  notifications: {
    /** One's own, newest first, by pages; without what one may not see any more. */
    list: Query<{
      unreadOnly?: boolean | undefined;
      cursor?: string | null | undefined;
      /** Sent along by the browser's query library; only forward is there. */
      direction?: "forward" | undefined;
    }, NotificationPage>;
    /** How many of one's own are unread. */
    unread: Query<void, {
      unread: number;
    }>;
    /** Marks some as read, or all. A mail about them that is still held is not sent. */
    markRead: Mutation<{
      ids: string[];
    } | {
      all: true;
    }, {
      unread: number;
    }>;
    /** Each new notification, and null whenever others were read or are gone; with how many are unread now. */
    onChange: Subscription<{
      lastEventId?: string | null | undefined;
    } | undefined, NotificationChange>;
    /** What one wants of each kind: whether the inbox shows it, and when it is mailed. */
    preferences: Query<void, NotificationPreferences>;
    /** Changes that for some kinds; the others stay as they are. */
    setPreferences: Mutation<{
      assigned?: {
        inApp: boolean;
        mail: "at-once" | "daily" | "off";
      };
      comment?: {
        inApp: boolean;
        mail: "at-once" | "daily" | "off";
      };
      "due-soon"?: {
        inApp: boolean;
        mail: "at-once" | "daily" | "off";
      };
      inquiry?: {
        inApp: boolean;
        mail: "at-once" | "daily" | "off";
      };
      mentioned?: {
        inApp: boolean;
        mail: "at-once" | "daily" | "off";
      };
      overdue?: {
        inApp: boolean;
        mail: "at-once" | "daily" | "off";
      };
      "project-status"?: {
        inApp: boolean;
        mail: "at-once" | "daily" | "off";
      };
      "repository-trouble"?: {
        inApp: boolean;
        mail: "at-once" | "daily" | "off";
      };
      request?: {
        inApp: boolean;
        mail: "at-once" | "daily" | "off";
      };
      "request-decided"?: {
        inApp: boolean;
        mail: "at-once" | "daily" | "off";
      };
      "sign-off-asked"?: {
        inApp: boolean;
        mail: "at-once" | "daily" | "off";
      };
      "sign-off-decided"?: {
        inApp: boolean;
        mail: "at-once" | "daily" | "off";
      };
      "sign-up-waiting"?: {
        inApp: boolean;
        mail: "at-once" | "daily" | "off";
      };
      "status-update"?: {
        inApp: boolean;
        mail: "at-once" | "daily" | "off";
      };
    }, NotificationPreferences>;
    /** Whether one is notified of what happens to a project or a task: by taking part in it, unless one has chosen otherwise. */
    following: Query<{
      subject: {
        projectId: string;
      } | {
        taskId: string;
      };
    }, {
      following: boolean;
    }>;
    /** Follows it, or stops following it. */
    follow: Mutation<{
      subject: {
        projectId: string;
      } | {
        taskId: string;
      };
      following: boolean;
    }, {
      following: boolean;
    }>;
    /** What a browser needs to be pushed to, and whether the one that asks is. */
    pushKey: Query<void, {
      publicKey: string;
      isSubscribed: boolean;
    }>;
    /** Pushes new notifications to the calling browser, until its session ends. */
    subscribePush: Mutation<{
      endpoint: string;
      keys: {
        p256dh: string;
        auth: string;
      };
    }, {
      ok: boolean;
    }>;
    /** Pushes no more to that browser. */
    unsubscribePush: Mutation<{
      endpoint: string;
    }, {
      ok: boolean;
    }>;
  };
  overview: {
    /**
     * How much others have done since the caller was here, and which things: tasks completed, due dates moved, commits, messages to the
     * caller. Of a client's projects that show counts of commits only, the count without hashes. A first visit begins now.
     */
    sinceLastVisit: Query<void, SinceLastVisit>;
    /** What one of these counts counts since any instant, newest first, at most 500; and how many there are. */
    changes: Query<{
      since: string | Date;
      kind: "commits" | "datesMoved" | "messages" | "tasksDone";
    }, ChangeList>;
    /** Everything until `upTo` has been seen, on every device of the caller; never back. */
    markSeen: Mutation<{
      upTo: string | Date;
    }, {
      since: string;
    }>;
    /**
     * What of clients waits for the firm, the oldest first: conversations that are the caller's to answer, requests that the firm
     * owes an answer, and sign-offs that were sent back. For clients their own: by when the firm answers. 500 at most.
     */
    waiting: Query<void, WaitingItem[]>;
    /** Admins: how long clients waited for an answer, by month, the newest first. */
    replyTimes: Query<void, ReplyTimes[]>;
  };
  audit: {
    /** Newest first, by pages, of one person or kind or of all. */
    list: Query<{
      personId?: string | undefined;
      kind?: "account.approved" | "account.deactivated" | "account.erased" | "account.exported" | "account.made-admin" | "account.reactivated" | "account.rejected" | "account.type-changed" | "api-key.created" | "api-key.revoked" | "backup.asked" | "client-person.added" | "client-person.removed" | "client-view.opened" | "comment.deleted" | "conversation.cover-ended" | "conversation.handed-over" | "conversation.taken-back" | "data.exported" | "data.imported" | "data.restored" | "file.removed" | "inquiry.status-changed" | "invitation.accepted" | "invitation.sent" | "invitation.withdrawn" | "organisation.updated" | "password.changed" | "password.reset" | "project.collaboration-changed" | "project.commit-view-changed" | "project.deleted" | "projects.exported" | "repository-token.owners-set" | "repository-token.removed" | "repository-token.set" | "session.ended" | "sign-off.asked" | "sign-off.decided" | "sign-off.withdrawn" | "template.deleted" | "template.saved" | "test-mail.sent" | "two-factor.disabled" | "two-factor.enabled" | "two-factor.reset" | "webhook.created" | "webhook.deleted" | "work.handed-over" | undefined;
      cursor?: string | null | undefined;
      /** Sent along by the browser's query library; only forward is there. */
      direction?: "forward" | undefined;
    }, AuditPage>;
    /** Says that the audit has grown: it is to be read again. */
    onChange: Subscription<{
      lastEventId?: string | null | undefined;
    } | undefined, AuditChange>;
  };
  live: {
    /**
     * All that one page follows, in one stream: the events of each topic as its own subscription emits them. Heartbeats carry an id;
     * with it as `lastEventId` each topic begins with `resumed` when its missed changes follow, else with `resync`: what is
     * shown of it is to be read again. Presence begins with everyone instead.
     */
    onEvent: Subscription<{
      lastEventId?: string | null | undefined;
      topics: ("audit" | "findings" | "github" | "inbox" | "inquiries" | "labels" | "notifications" | "presence" | "projects" | "requests" | "users")[];
    }, LiveEvent>;
  };
  search: {
    /**
     * Searches what the caller may see, messages of own conversations only: at most eight of each kind, best matches first. As a client
     * an admin finds what that client would, without messages and their files.
     */
    all: Query<{
      asClientId?: string | undefined;
      q: string;
    }, SearchResults>;
  };
  statusUpdates: {
    /** Of one project, newest first, 500 at most. */
    list: Query<{
      asClientId?: string | undefined;
      projectId: string;
    }, StatusUpdate[]>;
    /** For its managers and admins: three lines about what was done, moved and committed since the last update, to be edited. */
    draft: Query<{
      projectId: string;
    }, StatusUpdateDraft>;
    /**
     * For its managers and admins. The project's clients are notified, by mail where they want it; nobody changes it any more. Idempotent
     * by `clientUpdateId`: the same key and content return the first status update.
     */
    send: Mutation<{
      projectId: string;
      health: "at-risk" | "off-track" | "on-track";
      text: string;
      /** Of the draft that it began with: what came after that is for the next draft. Without it, what came after it was sent. */
      upTo?: string | Date | undefined;
      clientUpdateId?: string | undefined;
    }, StatusUpdate>;
  };
  vitals: {
    /** Page speed as measured by visitors' browsers. */
    summary: Query<void, VitalSummary[]>;
  };
  feeds: {
    /** Since when there is an address of the caller's calendar; null without one. The address itself is never read back. */
    calendar: Query<void, {
      createdAt: string | null;
    }>;
    /** A private address of the caller's due dates, for calendar programs. It replaces the one before, and this answer alone holds it. */
    createCalendar: Mutation<void, {
      url: string;
      createdAt: string;
    }>;
    /** From now on the address is unknown. Without one it does nothing. */
    revokeCalendar: Mutation<void, {
      ok: true;
    }>;
  };
  webhooks: {
    /** Newest first. */
    list: Query<void, Webhook[]>;
    /** The answer alone holds the secret. An address that is not public is refused by its field. */
    create: Mutation<{
      url: string;
      kinds: ("assigned" | "comment" | "due-soon" | "inquiry" | "mentioned" | "overdue" | "project-status" | "repository-trouble" | "request" | "request-decided" | "sign-off-asked" | "sign-off-decided" | "sign-up-waiting" | "status-update")[];
    }, CreatedWebhook>;
    /** With its deliveries; what waits is not sent any more. */
    delete: Mutation<{
      webhookId: string;
    }, {
      id: string;
    }>;
    /** The newest 100 of one webhook. */
    deliveries: Query<{
      webhookId: string;
    }, WebhookDelivery[]>;
    /** Sends an event of the kind `test`, whatever kinds were chosen. */
    sendTest: Mutation<{
      webhookId: string;
    }, {
      id: string;
    }>;
  };
  system: {
    /**
     * Starts a backup of the database and the uploaded files, to the folder BACKUP_DIR or else to DATA_DIR/backups. It is made in the
     * background, one at a time; `system.status` says what became of it.
     */
    backupNow: Mutation<void, {
      ok: true;
    }>;
    /** Whether mails leave the server, and in whose name. */
    mailSettings: Query<void, MailSettings>;
    /** The servers, their database, backups, mail and jobs, and what an admin should see to. */
    status: Query<void, SystemStatus>;
    /** Sends a test email at once, past the queue, and says what the mail server answered. At most 10 an hour for each admin. */
    sendTestMail: Mutation<{
      to: string;
    }, TestMailResult>;
  };
}
