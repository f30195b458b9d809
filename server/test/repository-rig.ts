import { eq } from "drizzle-orm";
import { projects, repositories } from "../../db/schema";
import { createLogger, type Logger } from "../core/logger";
import { createGitHubClient } from "../github/client";
import { startRepositoryWorker } from "../github/worker";
import { startListener } from "../realtime/listener";
import { createTestCallers, type TestCallers, testVault } from "./caller";
import type { TestDatabase } from "./db";

export interface RepositoryProcess {
  callers: TestCallers;
  close(): Promise<void>;
}

/** What reads repositories in one server process, with callers whose streams hear what it tells. */
export async function startRepositoryProcess(
  { db, connection }: TestDatabase,
  { apiUrl, logger = createLogger({ level: "silent" }) }: { apiUrl: string; logger?: Logger },
): Promise<RepositoryProcess> {
  const github = createGitHubClient({ apiUrl, timeoutMs: 500, maxBytes: 1024 * 1024 });
  const callers = createTestCallers(db, { github, logger });
  const listener = await startListener({ connection, hub: callers.hub, logger });
  const worker = startRepositoryWorker({ db, feed: callers.hub, logger, vault: testVault, github });
  return {
    callers,
    async close() {
      await worker.close();
      await listener.close();
    },
  };
}

/** Resolves once everything that was asked for, and may be read now, has been read. */
export async function untilRead({ sql }: TestDatabase): Promise<void> {
  for (;;) {
    const [row] = await sql`select count(*)::int as open from repositories
      where owner <> 'sangam-demo' and exists (select from projects where repository_id = repositories.id)
        and (due_at <= now() or leased_until is not null)`;
    if (row?.open === 0) return;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

/** Lets so many seconds pass for every repository. */
export async function passSeconds({ sql }: TestDatabase, seconds: number): Promise<void> {
  const back = `${seconds} seconds`;
  await sql`update repositories set last_attempt_at = last_attempt_at - ${back}::interval, due_at = due_at - ${back}::interval,
    blocked_until = blocked_until - ${back}::interval, wanted_at = wanted_at - ${back}::interval,
    leased_until = leased_until - ${back}::interval, linked_at = linked_at - ${back}::interval`;
  await sql`select pg_notify('sangam', '{"subject":"readings","topics":["readings"]}')`;
}

/** How the reading of a project's repository stands. */
export async function standingOf({ db }: TestDatabase, projectId: string) {
  const [row] = await db
    .select({ repository: repositories })
    .from(projects)
    .innerJoin(repositories, eq(repositories.id, projects.repositoryId))
    .where(eq(projects.id, projectId));
  return row?.repository ?? null;
}
