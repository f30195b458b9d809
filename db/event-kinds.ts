// Apart from the other values, which the pages before sign-in load.

/** What a notification is about. */
export const NOTIFICATION_KINDS = [
  "assigned",
  "mentioned",
  "comment",
  "project-status",
  "due-soon",
  "overdue",
  "sign-up-waiting",
  "repository-trouble",
  "inquiry",
  "request",
  "request-decided",
  "sign-off-asked",
  "sign-off-decided",
  "status-update",
] as const;
export type NotificationKind = (typeof NOTIFICATION_KINDS)[number];

/** When a notification is mailed: after a few minutes, once a day with the others, or never. */
export const NOTIFICATION_MAILS = ["at-once", "daily", "off"] as const;
export type NotificationMail = (typeof NOTIFICATION_MAILS)[number];

/** What the audit records. */
export const AUDIT_KINDS = [
  "account.approved",
  "account.rejected",
  "account.deactivated",
  "account.reactivated",
  "account.type-changed",
  "account.made-admin",
  "account.exported",
  "account.erased",
  "invitation.sent",
  "invitation.withdrawn",
  "invitation.accepted",
  "password.changed",
  "password.reset",
  "two-factor.enabled",
  "two-factor.disabled",
  "two-factor.reset",
  "session.ended",
  "api-key.created",
  "api-key.revoked",
  "repository-token.set",
  "repository-token.owners-set",
  "repository-token.removed",
  "organisation.updated",
  "webhook.created",
  "webhook.deleted",
  "client-view.opened",
  "inquiry.status-changed",
  "project.deleted",
  "project.collaboration-changed",
  "template.saved",
  "template.deleted",
  "project.commit-view-changed",
  "client-person.added",
  "client-person.removed",
  "comment.deleted",
  "file.removed",
  "conversation.handed-over",
  "conversation.taken-back",
  "conversation.cover-ended",
  "work.handed-over",
  "sign-off.asked",
  "sign-off.withdrawn",
  "sign-off.decided",
  "projects.exported",
  "data.imported",
  "data.exported",
  "data.restored",
  "backup.asked",
  "test-mail.sent",
] as const;
export type AuditKind = (typeof AUDIT_KINDS)[number];
