import { sql } from "drizzle-orm";
import { check, index, integer, pgTable, text, unique, uuid } from "drizzle-orm/pg-core";
import { users } from "./auth";
import { instant, leaseColumns } from "./columns";

/** Addresses of other programs that are sent what happens in the organisation. */
export const webhooks = pgTable(
  "webhooks",
  {
    id: uuid().primaryKey().defaultRandom(),
    url: text().notNull(),
    /** Kinds as those of notifications. */
    kinds: text().array().notNull(),
    /** What deliveries are signed with; encrypted, as the repository token is. */
    sealedSecret: text().notNull(),
    /** The id of the key that encrypted it. */
    keyId: text().notNull(),
    createdBy: uuid()
      .notNull()
      .references(() => users.id, { onDelete: "restrict" }),
    createdAt: instant().notNull().defaultNow(),
  },
  (t) => [check("webhooks_url_length", sql`char_length(${t.url}) <= 2048`)],
);

/** One event for one webhook, until it has been answered or was given up. */
export const webhookDeliveries = pgTable(
  "webhook_deliveries",
  {
    id: uuid().primaryKey().defaultRandom(),
    webhookId: uuid()
      .notNull()
      .references(() => webhooks.id, { onDelete: "cascade" }),
    kind: text().notNull(),
    /** What caused the event, as of notifications: it is delivered once. Null for a test. */
    cause: text(),
    /** The very bytes that are sent and signed. */
    body: text().notNull(),
    createdAt: instant().notNull().defaultNow(),
    /** The next attempt, and the one under way. */
    ...leaseColumns(),
    attempts: integer().notNull().default(0),
    /** Of the last attempt: the HTTP status of the answer, or what prevented one. */
    lastStatus: integer(),
    lastError: text(),
    lastAttemptAt: instant(),
    deliveredAt: instant(),
    /** When the last of all attempts had failed. */
    gaveUpAt: instant(),
  },
  (t) => [
    index("webhook_deliveries_webhook_idx").on(t.webhookId, t.createdAt, t.id),
    index("webhook_deliveries_waiting_idx").on(t.dueAt).where(sql`${t.deliveredAt} is null and ${t.gaveUpAt} is null`),
    unique("webhook_deliveries_cause_unique").on(t.webhookId, t.kind, t.cause),
  ],
);

/** The private address of a person's calendar; a new one replaces the old one. */
export const calendarFeeds = pgTable("calendar_feeds", {
  userId: uuid()
    .primaryKey()
    .references(() => users.id, { onDelete: "cascade" }),
  /** SHA-256 of the token in the address, in hexadecimal. */
  tokenHash: text().notNull().unique(),
  createdAt: instant().notNull().defaultNow(),
});
