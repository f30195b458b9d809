import type {
  auditEvents,
  comments,
  files,
  inquiries,
  invitations,
  labels,
  notifications,
  projects,
  projectTemplates,
  requests,
  signOffs,
  statusUpdates,
  tasks,
  users,
} from "./schema";

export type { StoredChecklistItem } from "./schema";

/*
 * What a row of each table holds, as types only: the browser may import them, and nothing of them is left in its bundle.
 * View types are made of these by leaving columns out, so that renaming a column breaks every use up to a React prop.
 */

/** A row as views show it: instants are ISO-8601 UTC strings. */
type Shown<Row> = { [Key in keyof Row]: Date extends Row[Key] ? string | Exclude<Row[Key], Date> : Row[Key] };

export type UserColumns = Shown<typeof users.$inferSelect>;
export type ProjectColumns = Shown<typeof projects.$inferSelect>;
export type ProjectTemplateColumns = Shown<typeof projectTemplates.$inferSelect>;
export type TaskColumns = Shown<typeof tasks.$inferSelect>;
export type FileColumns = Shown<typeof files.$inferSelect>;
export type LabelColumns = Shown<typeof labels.$inferSelect>;
export type CommentColumns = Shown<typeof comments.$inferSelect>;
export type InquiryColumns = Shown<typeof inquiries.$inferSelect>;
export type InvitationColumns = Shown<typeof invitations.$inferSelect>;
export type NotificationColumns = Shown<typeof notifications.$inferSelect>;
export type SignOffColumns = Shown<typeof signOffs.$inferSelect>;
export type StatusUpdateColumns = Shown<typeof statusUpdates.$inferSelect>;
export type RequestColumns = Shown<typeof requests.$inferSelect>;
export type AuditColumns = Shown<typeof auditEvents.$inferSelect>;
