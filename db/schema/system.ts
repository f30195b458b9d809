import { jsonb, pgTable, primaryKey, text, uuid } from "drizzle-orm/pg-core";
import { instant } from "./columns";

/**
 * What admins are mailed about when it goes wrong and when it is well again, such as a full disk. One row for each, so that any
 * number of processes and restarts send one mail.
 */
export const systemConditions = pgTable("system_conditions", {
  /** `disk`, `backup`, `repository-token`, or `job:` and a kind of job. */
  id: text().primaryKey(),
  /** Since when the present or last trouble was seen; null when there never was any. */
  troubleSince: instant(),
  /** When admins were mailed about the present trouble; null while they know of none. */
  announcedAt: instant(),
  /** Since when it has been seen well without a break; null while there is trouble. */
  wellSince: instant(),
  /** Facts for the mail, such as the space left on a disk. */
  details: jsonb().$type<Record<string, string | number>>().notNull().default({}),
});

/** Since when servers have used a secret, so that an exchanged one can be removed once nothing needs it. */
export const secretKeys = pgTable(
  "secret_keys",
  {
    /** The setting that holds it. */
    name: text().notNull(),
    /** Reveals nothing about the secret. */
    keyId: text().notNull(),
    firstUsedAt: instant().notNull().defaultNow(),
  },
  (t) => [primaryKey({ columns: [t.name, t.keyId] })],
);

/** The servers that run: each writes its own row about once a minute, and takes it with it when it stops. */
export const serverProcesses = pgTable("server_processes", {
  /** New with each start. */
  id: uuid().primaryKey(),
  /** Of Sangam, and of Node.js. */
  version: text().notNull(),
  node: text().notNull(),
  /** The name of its machine. */
  host: text().notNull(),
  startedAt: instant().notNull(),
  seenAt: instant().notNull().defaultNow(),
  /** What it has open and how fast it answers; servers of other versions may know more or less of it (server/system). */
  activity: jsonb().$type<unknown>().notNull(),
});
