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
import { instant } from "./columns";

export const repositoryProblemEnum = pgEnum("repository_problem", REPOSITORY_PROBLEMS);
export const tokenResultEnum = pgEnum("token_result", TOKEN_RESULTS);

/** Repositories that projects link to, and how the reading of each stands. One row, however many projects link to it. */
export const repositories = pgTable(
  "repositories",
  {
    id: uuid().primaryKey().defaultRandom(),
    /** Lower-cased, as GitHub compares them. */
    owner: text().notNull(),
    name: text().notNull(),
    /** `owner/name` as it was first written. */
    fullName: text().notNull(),
    /** Of the last answer that brought commits: an unchanged repository then costs a 304. */
    etag: text(),
    /** Whether that answer was asked for with the organisation's token. */
    readWithToken: boolean().notNull().default(false),
    /** What was read with a token is shown to nobody once the token may not be used for this owner any more. */
    withheld: boolean().notNull().default(false),
    /** Answered with commits, or with "not modified". */
    lastSuccessAt: instant(),
    /** Of the last answer; null after a success. */
    problem: repositoryProblemEnum(),
    /** The HTTP status of the problem; null when there was no answer. */
    problemStatus: integer(),
    /** In a row, up to the last answer. */
    failures: integer().notNull().default(0),
    /** When somebody last asked for it: a refresh, a push, a new link. */
    wantedAt: instant(),
    lastAttemptAt: instant(),
    /** Next reading. */
    dueAt: instant().notNull().defaultNow(),
    /** GitHub asked not to be asked before. */
    blockedUntil: instant(),
    /** The one flight: whoever reads it now, and until when nobody else does. */
    leaseId: uuid(),
    leasedUntil: instant(),
    /** Counts what its watchers should hear of. */
    changeSeq: bigint({ mode: "number" }).notNull().default(1),
    /** When a project last began, or ceased, to link to it. */
    linkedAt: instant().notNull().defaultNow(),
  },
  (t) => [
    unique("repositories_name_unique").on(t.owner, t.name),
    index("repositories_due_idx").on(t.dueAt),
    check("repositories_lower", sql`${t.owner} = lower(${t.owner}) and ${t.name} = lower(${t.name})`),
  ],
);

/** Commits of the default branch as GitHub told them. */
export const commits = pgTable(
  "commits",
  {
    /** Rises with the order of a repository's history where two commits have one time. */
    id: bigint({ mode: "number" }).primaryKey().generatedAlwaysAsIdentity(),
    repositoryId: uuid()
      .notNull()
      .references(() => repositories.id, { onDelete: "cascade" }),
    sha: text().notNull(),
    message: text().notNull(),
    htmlUrl: text().notNull(),
    /** As the commit itself says. */
    authorName: text().notNull(),
    authoredAt: instant().notNull(),
    /** The account on GitHub; null when GitHub knows none. */
    authorLogin: text(),
    authorAvatarUrl: text(),
    /** On the page of the last answer, 0 for the newest; null below it. */
    place: integer(),
  },
  (t) => [
    unique("commits_sha_unique").on(t.repositoryId, t.sha),
    /** Ascending: read backwards it has the order of `desc`, which drizzle's descending index, with nulls last, has not. */
    index("commits_newest_idx").on(t.repositoryId, t.authoredAt, t.id),
  ],
);

/**
 * Tasks that a commit's message names, by key and number. Which of them is a task is decided when it is read: the project
 * must link to the very repository, so that a link made later, or taken away, needs no work here.
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
    /** The message says that it finishes the task: "fixes HBP-12". */
    closes: boolean().notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.commitId, t.projectKey, t.taskNumber] }),
    index("commit_mentions_task_idx").on(t.repositoryId, t.projectKey, t.taskNumber),
  ],
);

/** The organisation's one token. */
export const repositoryTokens = pgTable(
  "repository_tokens",
  {
    id: integer().primaryKey().default(1),
    /** AES-256-GCM; see server/core/vault.ts. */
    sealed: text().notNull(),
    /** Which key sealed it. */
    keyId: text().notNull(),
    lastFour: text().notNull(),
    /** Lower-cased; for the repositories of these the token is used, and for no others. */
    owners: jsonb().$type<string[]>().notNull(),
    setBy: uuid().references(() => users.id, { onDelete: "set null" }),
    setAt: instant().notNull().defaultNow(),
    /** What GitHub last said to it. */
    lastResult: tokenResultEnum().notNull().default("accepted"),
    lastResultAt: instant().notNull().defaultNow(),
  },
  (t) => [check("repository_tokens_single", sql`${t.id} = 1`)],
);
