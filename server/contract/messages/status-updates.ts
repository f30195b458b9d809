import type { PROJECT_HEALTHS } from "@db/client-enums";

type ProjectHealth = (typeof PROJECT_HEALTHS)[number];

export const HEALTH_LABELS: Record<ProjectHealth, string> = {
  "on-track": "On track",
  "at-risk": "At risk",
  "off-track": "Off track",
};

/** What a health is called; null for a text that is none. */
export function healthLabel(text: string | null): string | null {
  const known = Object.entries(HEALTH_LABELS).find(([health]) => health === text);
  return known?.[1] ?? null;
}

/** What a notification holds in place of a health, when it asks for a status update. */
export const STATUS_REMINDER = "reminder";

export const STATUS_UPDATE_MESSAGES = {
  sent: "Status update sent",
  keyTaken: "This status update was already sent, with other content.",
  sendFailed: "Failed to send the status update. Please try again.",
  empty: "No status update yet",
  emptyClient: "The team has not sent a status update yet.",
  reminderHint: "Once a week, unless a status update was sent in the last seven days.",
} as const;
