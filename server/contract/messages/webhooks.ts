import type { NotificationKind } from "@db/event-kinds";

/** What each kind of event is called where admins choose it: of the whole organisation, whoever is notified. */
export const WEBHOOK_KIND_LABELS: Record<NotificationKind | "test", string> = {
  assigned: "Someone is assigned",
  mentioned: "Someone is mentioned",
  comment: "New comment",
  "project-status": "Project status changed",
  "due-soon": "Due today or tomorrow",
  overdue: "Overdue",
  "sign-up-waiting": "Sign-up waiting for approval",
  "repository-trouble": "Repository can't be read",
  inquiry: "New inquiry",
  request: "New request",
  "request-decided": "Request decided",
  "sign-off-asked": "Sign-off asked for",
  "sign-off-decided": "Sign-off decided",
  "status-update": "Status update sent",
  test: "Test",
};

export const WEBHOOK_MESSAGES = {
  empty: "There are no webhooks yet.",
  noDeliveries: "Nothing has been sent yet.",
  addressHint: "Your own https address. Each event is sent there, signed with the webhook's secret.",
  confirmDelete:
    "Its deliveries are deleted too, and events that are still waiting are not sent. This can't be undone.",
  deleted: "Webhook deleted",
  deleteFailed: "Failed to delete the webhook. Please try again.",
  testFailed: "Failed to send the test. Please try again.",
  notFound: "This webhook no longer exists.",
  notPublic: "Enter an https address that can be reached from the internet.",
  unknownHost: "This host can't be found.",
  tooMany: "There are 20 webhooks already. Delete one first.",
} as const;
