import type { NotificationKind } from "@db/event-kinds";
import type { Person } from "./people";

/** An address that is sent what happens in the organisation; its secret is never read back. */
export interface Webhook {
  id: string;
  url: string;
  kinds: NotificationKind[];
  createdAt: string;
  createdBy: Person;
}

/** The secret that deliveries are signed with, which no other answer contains. */
export interface CreatedWebhook {
  id: string;
  secret: string;
}

/** What became of one event for one webhook. */
export interface WebhookDelivery {
  id: string;
  kind: NotificationKind | "test";
  createdAt: string;
  status: "waiting" | "delivered" | "failed";
  attempts: number;
  /** The HTTP status of the last answer; null without one. */
  lastStatus: number | null;
  /** Why the last attempt failed. */
  lastError: string | null;
  lastAttemptAt: string | null;
  /** Null once it is delivered or given up. */
  nextAttemptAt: string | null;
}
