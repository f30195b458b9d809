import { and, asc, eq, gt, isNotNull, isNull, lt, max, sql } from "drizzle-orm";
import * as z from "zod/mini";
import type { Db } from "../../db/client";
import { countRows, instantAfter, isoInstant } from "../../db/expressions";
import { apiKeys, jobKinds, secretKeys, serverProcesses, sessions, systemConditions, users } from "../../db/schema";
import type { ServerProcess } from "../contract/system";
import { secretId } from "../core/vault";
import type { Backlog } from "../jobs/lease";
import type { JobKind } from "../jobs/runner";

/**
 * The browsers that were logged in before servers used this BETTER_AUTH_SECRET: a former one signed their cookies. `until` is when
 * the last of these sessions ends; null without any.
 */
export async function findFormerSessions(
  db: Db,
  { betterAuthSecret }: { betterAuthSecret: string },
): Promise<{ count: number; until: string | null }> {
  const isPresent = and(
    eq(secretKeys.name, "BETTER_AUTH_SECRET"),
    eq(secretKeys.keyId, secretId(betterAuthSecret)),
    lt(sessions.createdAt, secretKeys.firstUsedAt),
  );
  const [found] = await db
    .select({ count: countRows(), until: isoInstant(max(sessions.expiresAt)) })
    .from(sessions)
    .innerJoin(secretKeys, isPresent)
    .leftJoin(apiKeys, eq(apiKeys.sessionId, sessions.id))
    .where(and(gt(sessions.expiresAt, sql`now()`), isNull(apiKeys.sessionId)));
  return found ?? { count: 0, until: null };
}

/** How the jobs of one kind fare in all processes. */
export interface JobState extends Backlog {
  name: string;
  /** The first failure after the last success; null when there was none. */
  failingSince: Date | null;
  /** Of the present failures. */
  lastError: string | null;
}

/** How jobs fare, in the order of the kinds. */
export async function listJobStates(db: Db, kinds: readonly Pick<JobKind, "name" | "backlog">[]): Promise<JobState[]> {
  const failing = new Map((await listFailingKinds(db)).map((row) => [row.id, row]));
  return Promise.all(
    kinds.map(async ({ name, backlog }) => {
      const { failingSince = null, lastError = null } = failing.get(name) ?? {};
      return { name, failingSince, lastError, ...(await backlog()) };
    }),
  );
}

/** The kinds whose last job failed. */
export function listFailingKinds(db: Db): Promise<(typeof jobKinds.$inferSelect)[]> {
  return db.select().from(jobKinds).where(isNotNull(jobKinds.failingSince));
}

export type ConditionRow = typeof systemConditions.$inferSelect;

/** A condition that has been in trouble at least once. */
export async function findCondition(db: Db, { id }: { id: string }): Promise<ConditionRow | null> {
  const [row] = await db.select().from(systemConditions).where(eq(systemConditions.id, id));
  return row ?? null;
}

/** What the database says of itself. */
export interface DatabaseFacts {
  /** Of PostgreSQL, such as "17.2". */
  version: string;
  sizeBytes: number;
  /** Of all databases of that PostgreSQL. */
  connections: number;
  maxConnections: number;
  /** How far its clock is ahead of this machine's, within the time of one question. */
  aheadMs: number;
}

/** Reads them in one round trip. Rejects when the database does not answer. */
export async function findDatabaseFacts(db: Db): Promise<DatabaseFacts> {
  const askedMs = Date.now();
  const [row] = await db.execute(sql`select split_part(current_setting('server_version'), ' ', 1) as version,
    pg_database_size(current_database())::float8 as "sizeBytes",
    (select sum(numbackends)::int from pg_stat_database) as connections,
    current_setting('max_connections')::int as "maxConnections",
    (extract(epoch from clock_timestamp()) * 1000)::float8 as "clockMs"`);
  const { clockMs, ...facts } = databaseFactsSchema.parse(row);
  return { ...facts, aheadMs: clockMs - (askedMs + Date.now()) / 2 };
}

const databaseFactsSchema = z.object({
  version: z.string(),
  sizeBytes: z.number(),
  connections: z.number(),
  maxConnections: z.number(),
  clockMs: z.number(),
});

/** Two reports may be missed. */
const SEEN_WITHIN_SECONDS = 150;

const activitySchema = z.object({
  memoryBytes: z.number(),
  sockets: z.number(),
  eventStreams: z.number(),
  /** The fullest disk of its machine; versions before 0.2.0 report none. */
  disk: z.optional(z.object({ path: z.string(), freeBytes: z.number(), freePercent: z.number() })),
  procedures: z.array(z.object({ name: z.string(), buckets: z.array(z.tuple([z.int(), z.int()])) })),
});
/** What a process reports of itself. */
export type ProcessActivity = z.output<typeof activitySchema>;

/** A process as it last reported; `activity` is null for one whose version reports something else. */
export interface ReportedProcess extends Omit<ServerProcess, keyof ProcessActivity> {
  activity: ProcessActivity | null;
}

/** The processes that run, the oldest first. */
export async function listProcesses(db: Db): Promise<ReportedProcess[]> {
  const { id, version, node, host, startedAt, seenAt, activity } = serverProcesses;
  const rows = await db
    .select({ id, version, node, host, startedAt: isoInstant(startedAt), seenAt: isoInstant(seenAt), activity })
    .from(serverProcesses)
    .where(gt(seenAt, instantAfter(sql`now()`, -SEEN_WITHIN_SECONDS)))
    .orderBy(asc(startedAt), asc(id));
  return rows.map((row) => ({ ...row, activity: activitySchema.safeParse(row.activity).data ?? null }));
}

/** Condition of users: those who run the server. */
export const isActiveAdmin = and(eq(users.accountType, "admin"), eq(users.accountStatus, "active"));

/** Whom a mail about the server goes to; null for whoever is no active admin any more: it may have waited for days. */
export async function findActiveAdmin(db: Db, { id }: { id: string }): Promise<{ name: string; email: string } | null> {
  const { name, email } = users;
  const [admin] = await db
    .select({ name, email })
    .from(users)
    .where(and(eq(users.id, id), isActiveAdmin));
  return admin ?? null;
}
