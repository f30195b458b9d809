import type { AccountType } from "@db/enums";
import type { NotificationKind } from "@db/event-kinds";

const TEAM: readonly AccountType[] = ["user", "admin"];
const EVERYBODY: readonly AccountType[] = ["user", "client", "admin"];
/** Whose accounts can be notified of a kind, and so choose in Settings what they want of it. */
export const NOTIFIED_OF: Record<NotificationKind, readonly AccountType[]> = {
  assigned: EVERYBODY,
  mentioned: EVERYBODY,
  comment: EVERYBODY,
  "project-status": EVERYBODY,
  "due-soon": TEAM,
  overdue: TEAM,
  "sign-up-waiting": ["admin"],
  "repository-trouble": TEAM,
  inquiry: ["admin"],
  request: TEAM,
  // Whoever of the team has filed one is notified as the client is.
  "request-decided": EVERYBODY,
  "sign-off-asked": ["client"],
  "sign-off-decided": TEAM,
  "status-update": EVERYBODY,
};
