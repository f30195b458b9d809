import { sql } from "drizzle-orm";
import {
  bigint,
  boolean,
  check,
  index,
  integer,
  jsonb,
  pgEnum,
  pgTable,
  primaryKey,
  text,
  unique,
  uuid,
} from "drizzle-orm/pg-core";
import { REPOSITORY_PROBLEMS, TOKEN_RESULTS } from "../enums";
import { users } from "./auth";
import { instant, leaseColumns } from "./columns";

export const repositoryProblemEnum = pgEnum("repository_problem", REPOSITORY_PROBLEMS);
export const tokenResultEnum = pgEnum("token_result", TOKEN_RESULTS);

/** Repositories that projects link to, with the state of their sync. One row, however many projects link to it. */
export const repositories = pgTable(
  "repositories",
  {
    id: uuid().primaryKey().defaultRandom(),
    /** Lower case, since GitHub ignores case. */
    owner: text().notNull(),
    name: text().notNull(),
    /** `owner/name` as it was first entered. */
    fullName: text().notNull(),
    /** Of the last response with commits, so that an unchanged repository costs a 304. */
    etag: text(),
    /** Whether that response was requested with the organisation's token. */
    readWithToken: boolean().notNull().default(false),
    /** Hides commits that were read with the token once the token may no longer be used for this owner. */
    withheld: boolean().notNull().default(false),
    /** Last response with commits or "not modified". */
    lastSuccessAt: instant(),
    /** Of the last sync run; null after a success. */
    problem: repositoryProblemEnum(),
    /** The HTTP status of the problem; null without a response. */
    problemStatus: integer(),
    /** Failed sync runs in a row. */
    failures: integer().notNull().default(0),
    /** When a sync was last requested: by a refresh, a push or a new link. */
    wantedAt: instant(),
    lastAttemptAt: instant(),
    /** The next sync run, and the one under way. */
    ...leaseColumns(),
    /** GitHub allows no call before then. */
    blockedUntil: instant(),
    /** Incremented with each change that watchers are notified of. */
    changeSeq: bigint({ mode: "number" }).notNull().default(1),
    /** When a project was last linked to it or unlinked. */
    linkedAt: instant().notNull().defaultNow(),
  },
  (t) => [
    unique("repositories_name_unique").on(t.owner, t.name),
    index("repositories_due_idx").on(t.dueAt),
    check("repositories_lower", sql`${t.owner} = lower(${t.owner}) and ${t.name} = lower(${t.name})`),
  ],
);

/** Commits of the default branch as GitHub returned them. */
export const commits = pgTable(
  "commits",
  {
    /** Orders commits of a repository that have the same time. */
    id: bigint({ mode: "number" }).primaryKey().generatedAlwaysAsIdentity(),
    repositoryId: uuid()
      .notNull()
      .references(() => repositories.id, { onDelete: "cascade" }),
    sha: text().notNull(),
    message: text().notNull(),
    htmlUrl: text().notNull(),
    /** From the commit itself. */
    authorName: text().notNull(),
    authoredAt: instant().notNull(),
    /** When it was first read; of those that a repository had when it was linked: their own time. */
    arrivedAt: instant().notNull().defaultNow(),
    /** The GitHub account; null when GitHub knows none. */
    authorLogin: text(),
    /** Where GitHub has the account's picture; pages load it from this server. */
    authorAvatarUrl: text(),
    /** Position on the last page read, 0 for the newest; null below it. */
    place: integer(),
  },
  (t) => [
    unique("commits_sha_unique").on(t.repositoryId, t.sha),
    /** Ascending: read backwards it gives `desc` order, which Drizzle's descending index with nulls last does not. */
    index("commits_newest_idx").on(t.repositoryId, t.authoredAt, t.id),
    index("commits_author_idx").on(t.authorLogin, t.id),
    index("commits_arrived_idx").on(t.arrivedAt),
    index("commits_repository_arrived_idx").on(t.repositoryId, t.arrivedAt),
  ],
);

/**
 * Tasks that a commit message mentions, by key and number. Queries resolve them to tasks of projects that link to the
 * repository, so that linking or unlinking a project changes nothing here.
 */
export const commitMentions = pgTable(
  "commit_mentions",
  {
    commitId: bigint({ mode: "number" })
      .notNull()
      .references(() => commits.id, { onDelete: "cascade" }),
    repositoryId: uuid()
      .notNull()
      .references(() => repositories.id, { onDelete: "cascade" }),
    projectKey: text().notNull(),
    taskNumber: integer().notNull(),
    /** The message closes the task: "fixes HBP-12". */
    closes: boolean().notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.commitId, t.projectKey, t.taskNumber] }),
    index("commit_mentions_task_idx").on(t.repositoryId, t.projectKey, t.taskNumber),
  ],
);

/** The organisation's token; at most one row. */
export const repositoryTokens = pgTable(
  "repository_tokens",
  {
    id: integer().primaryKey().default(1),
    /** AES-256-GCM; see server/core/vault.ts. */
    sealed: text().notNull(),
    /** The id of the key that encrypted it. */
    keyId: text().notNull(),
    lastFour: text().notNull(),
    /** Lower case. The token is used for repositories of these owners only. */
    owners: jsonb().$type<string[]>().notNull(),
    setBy: uuid().references(() => users.id, { onDelete: "set null" }),
    setAt: instant().notNull().defaultNow(),
    /** The result of its last use. */
    lastResult: tokenResultEnum().notNull().default("accepted"),
    lastResultAt: instant().notNull().defaultNow(),
  },
  (t) => [check("repository_tokens_single", sql`${t.id} = 1`)],
);
