import { bigint, boolean, index, integer, pgTable, text, uuid } from "drizzle-orm/pg-core";
import { instant, leaseColumns } from "./columns";
import { projects } from "./projects";

/** Whether the live link of a project answers: one row for each project that has one. */
export const liveLinks = pgTable(
  "live_links",
  {
    projectId: uuid()
      .primaryKey()
      .references(() => projects.id, { onDelete: "cascade" }),
    /** What was checked; a project with another link is checked anew. */
    url: text().notNull(),
    /** The next check, and the one under way. */
    ...leaseColumns(),
    lastCheckedAt: instant(),
    /** Since when it has not answered; null while it does. */
    failingSince: instant(),
  },
  (t) => [index("live_links_due_idx").on(t.dueAt)],
);

/** What each check found, newest last; swept after some weeks. */
export const liveLinkChecks = pgTable(
  "live_link_checks",
  {
    id: bigint({ mode: "number" }).primaryKey().generatedAlwaysAsIdentity(),
    projectId: uuid()
      .notNull()
      .references(() => liveLinks.projectId, { onDelete: "cascade" }),
    at: instant().notNull().defaultNow(),
    isUp: boolean().notNull(),
    /** The HTTP status of the answer; null without one. */
    status: integer(),
    /** What prevented an answer. */
    error: text(),
  },
  (t) => [index("live_link_checks_project_idx").on(t.projectId, t.id)],
);
