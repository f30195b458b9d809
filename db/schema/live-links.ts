import { bigint, boolean, index, integer, pgTable, text, uuid } from "drizzle-orm/pg-core";
import { LIVE_LINK_ERRORS } from "../client-enums";
import { instant, leaseColumns } from "./columns";
import { projects } from "./projects";

/**
 * Whether the live link of a project answers: one row for each running project that has one. With another link it is another row,
 * and its checks go with it.
 */
export const liveLinks = pgTable(
  "live_links",
  {
    /** The project's id. */
    id: uuid("project_id")
      .primaryKey()
      .references(() => projects.id, { onDelete: "cascade" }),
    /** What is checked: the link of the project. */
    url: text().notNull(),
    /** The next check, and the one under way. */
    ...leaseColumns(),
    lastCheckedAt: instant(),
    /** Since when it has answered each check; null while it does not. */
    upSince: instant(),
    /** Since when it has answered no check; null while it does. */
    failingSince: instant(),
    /** Checks without an answer in a row: a link is dead after some. */
    failures: integer().notNull().default(0),
    /** Its address is not a public one: nobody asks it, and nobody knows. */
    isRefused: boolean().notNull().default(false),
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
      .references(() => liveLinks.id, { onDelete: "cascade" }),
    at: instant().notNull().defaultNow(),
    isUp: boolean().notNull(),
    /** The HTTP status of the answer; null without one. */
    status: integer(),
    /** What prevented an answer. */
    error: text({ enum: LIVE_LINK_ERRORS }),
  },
  (t) => [index("live_link_checks_project_idx").on(t.projectId, t.id), index("live_link_checks_at_idx").on(t.at)],
);
