import { eq } from "drizzle-orm";
import { afterAll, beforeEach } from "vitest";
import { makeUser, type UserRow } from "../../db/factories";
import { projects, repositories } from "../../db/schema";
import { createLogger, type Logger } from "../core/logger";
import type { Vault } from "../core/vault";
import { createGitHubClient, type GitHubClient } from "../github/client";
import { repositoryKinds } from "../github/jobs";
import { startJobs } from "../jobs/runner";
import { startListener } from "../realtime/listener";
import { createTestCallers, type TestCaller, type TestCallers, testVault } from "./caller";
import { createTestDatabase, type TestDatabase } from "./db";
import { type Behaviour, type GitHubServer, startGitHubServer } from "./github-server";

export interface RepositoryProcess {
  callers: TestCallers;
  close(): Promise<void>;
}

/** What reads repositories in one server process, with callers whose streams receive its events. */
export async function startRepositoryProcess(
  { db, connection }: TestDatabase,
  {
    apiUrl,
    logger = createLogger({ level: "silent" }),
    vault = testVault,
  }: { apiUrl: string; logger?: Logger; vault?: Vault },
): Promise<RepositoryProcess> {
  const github = clientOf(apiUrl);
  const callers = createTestCallers(db, { github, logger });
  const listener = await startListener({ connection, hub: callers.hub, logger });
  const jobs = startJobs(repositoryKinds({ db, logger, vault, github }), { feed: callers.hub, logger });
  return {
    callers,
    async close() {
      await jobs.close();
      await listener.close();
    },
  };
}

/** Waits long, as a busy machine needs, but not for a repository that hangs. */
function clientOf(apiUrl: string): GitHubClient {
  const client = (timeoutMs: number) => createGitHubClient({ apiUrl, timeoutMs, maxBytes: 1024 * 1024 });
  const [usual, hasty] = [client(20_000), client(5_000)];
  return {
    ...usual,
    listCommits: (asked) => (`${asked.owner}/${asked.name}` === HANGING ? hasty : usual).listCommits(asked),
  };
}

/** A database, a GitHub, up to two processes that read for the one from the other, and an admin at each. */
export interface RepositoryBench {
  database: TestDatabase;
  github: GitHubServer;
  asha: UserRow;
  /** Those that are not there yet; the admin at the one and at the other. */
  startProcesses(): Promise<[TestCaller, TestCaller]>;
  stopProcess(at: 0 | 1): Promise<void>;
  stopProcesses(): Promise<void>;
  /** Nothing is linked, stored or set, GitHub knows one token, `BENCH_TOKEN`, and no repository. */
  clear(): Promise<void>;
  /** A project that links to a repository of that behaviour. */
  link(fullName: string, behaviour?: Behaviour): Promise<string>;
  calls(fullName: string): number;
  /** Of what is shown of a project. */
  shas(projectId: string): Promise<string[]>;
  close(): Promise<void>;
}

/** Link to it whatever `hangs`. */
export const HANGING = "konkan/hanging";

export const BENCH_TOKEN = "ghp_0123456789abcdefABCDEF";

/** One bench for all tests of a file, empty before each of them. Call it at the top of the file. */
export async function openRepositoryBench(): Promise<RepositoryBench> {
  const bench = await startRepositoryBench();
  beforeEach(() => bench.clear());
  afterAll(() => bench.close());
  return bench;
}

async function startRepositoryBench(): Promise<RepositoryBench> {
  const [database, github] = await Promise.all([createTestDatabase(), startGitHubServer()]);
  const asha = await makeUser(database.db, { accountType: "admin" });
  const admin = await createTestCallers(database.db).as(asha);
  const processes = new Map<number, RepositoryProcess>();
  let counter = 0;
  const callerAt = async (at: number) => {
    const present = processes.get(at) ?? (await startRepositoryProcess(database, { apiUrl: github.url }));
    processes.set(at, present);
    return present.callers.as(asha);
  };
  const stopProcess = async (at: number) => {
    await processes.get(at)?.close();
    processes.delete(at);
  };
  const stopProcesses = async () => void (await Promise.all([0, 1].map(stopProcess)));
  return {
    database,
    github,
    asha,
    startProcesses: () => Promise.all([callerAt(0), callerAt(1)]),
    stopProcess,
    stopProcesses,
    async clear() {
      await untilRead(database);
      await database.sql`update projects set repository_id = null, github_repo = null`;
      await database.sql`delete from repositories`;
      await database.sql`delete from repository_tokens`;
      github.requests.length = 0;
      github.repositories.clear();
      github.tokens.clear();
      github.tokens.add(BENCH_TOKEN);
    },
    async link(fullName, behaviour) {
      if (behaviour) github.repositories.set(fullName.toLowerCase(), behaviour);
      counter += 1;
      const { id } = await admin.projects.create({
        title: `Project ${counter}`,
        description: "What for.",
        status: "todo",
        startDate: "2026-11-20",
        assignedTo: [],
        managers: [],
        githubRepo: `https://github.com/${fullName}`,
      });
      return id;
    },
    calls: (fullName) => github.requestsFor(fullName).length,
    shas: async (projectId) => (await admin.github.commits({ projectId })).items.map(({ sha }) => sha),
    async close() {
      await stopProcesses();
      await github.close();
      await database.close();
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
export async function repositoryOf({ db }: TestDatabase, projectId: string) {
  const [row] = await db
    .select({ repository: repositories })
    .from(projects)
    .innerJoin(repositories, eq(repositories.id, projects.repositoryId))
    .where(eq(projects.id, projectId));
  return row?.repository ?? null;
}
