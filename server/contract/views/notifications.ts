import type { NotificationColumns } from "@db/rows";
import type { Person } from "./people";
import type { ProjectName } from "./projects";

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

/** Something that a person is told about a subject. */
export interface Notification extends Pick<NotificationColumns, "id" | "kind" | "details" | "createdAt" | "readAt"> {
  subject: NotificationSubject;
  /** What the subject is called now: of a task its title, of a project too, of a person or an inquiry the name. */
  title: string;
  /** Of a task, its number in the project: 12 in `HBP-12`. */
  taskNumber: number | null;
  project: ProjectName | null;
  /** Who caused it; null for the server itself, and for somebody who is gone. */
  actor: Person | null;
}

export interface NotificationPage {
  /** Newest first, 50 a page. */
  items: Notification[];
  nextCursor: string | null;
  /** Of all of them, whatever the page. */
  unread: number;
}

/** A new notification, or null where others were read or are gone; and how many are unread now. */
export interface NotificationChange {
  notification: Notification | null;
  unread: number;
}
