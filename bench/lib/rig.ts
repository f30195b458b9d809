import { type ChildProcess, spawn } from "node:child_process";
import { createHmac } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { eq } from "drizzle-orm";
import { type Connection, createDb, type Db } from "../../db/client";
import { startEmbedded } from "../../db/embedded/start";
import { makeProject, makeSession, makeUser, type UserRow } from "../../db/factories";
import { appendedRank } from "../../db/ranks";
import { projects, taskAssignees, tasks } from "../../db/schema";
import { taskTotals } from "../../db/task-totals";
import { disposeServer, startServer, type TestServer } from "../../e2e/server";

/*
 * What the measurements share: the built server as its own process, the bare floor beside it on the same database, and a firm
 * of a given size. Server, floor, PostgreSQL and the load share the machine; only ratios within one run mean anything.
 */

export interface Rig {
  server: TestServer;
  floor: Floor;
  db: Db;
  /** The cookie that a browser of this person would send; the floor takes the same. */
  cookieOf(user: { id: string }): Promise<string>;
  close(): Promise<void>;
}

interface Floor {
  url: string;
}

/** Without limits and logs, which the floor has none of either. */
export async function startRig({
  withFloor = true,
  env = {},
}: {
  withFloor?: boolean;
  /** Settings besides. */
  env?: Record<string, string>;
} = {}): Promise<Rig> {
  const server = await startServer({ LOG_LEVEL: "silent", DEMO: "0", TRUSTED_PROXIES: "127.0.0.1", ...env });
  try {
    const cluster = await startEmbedded({ dataDir: server.dataDir });
    const { db, close } = createDb(cluster.connection, { max: 4 });
    const floor = withFloor ? await startFloor(cluster.connection) : null;
    const secret = readFileSync(join(server.dataDir, "better-auth-secret"), "utf8").trim();
    return {
      server,
      floor: { url: floor?.url ?? "" },
      db,
      async cookieOf(user) {
        return signedIn(db, { userId: user.id, secret });
      },
      async close() {
        floor?.child.kill("SIGTERM");
        await close();
        await disposeServer(server);
      },
    };
  } catch (error) {
    await disposeServer(server);
    throw error;
  }
}

/** A session of that person, as the cookie that their browser would send. */
export async function signedIn(db: Db, { userId, secret }: { userId: string; secret: string }): Promise<string> {
  const { token } = await makeSession(db, { userId });
  const signature = createHmac("sha256", secret).update(token).digest("base64");
  return `sangam.session_token=${encodeURIComponent(`${token}.${signature}`)}`;
}

async function startFloor(connection: Connection): Promise<{ url: string; child: ChildProcess }> {
  const child = spawn(process.execPath, ["--import", "tsx", join("bench", "lib", "floor.ts")], {
    env: { PATH: process.env.PATH, NODE_ENV: "production", FLOOR_DATABASE: JSON.stringify(connection) },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const url = await new Promise<string>((resolve, reject) => {
    createInterface({ input: child.stdout }).on("line", (line) => resolve(line));
    child.once("exit", (code) => reject(new Error(`The floor ended with ${code}.`)));
  });
  return { url, child };
}

/** One person's projects with their tasks, ten colleagues and clients on them; one project has `tasksOfFirst` tasks. */
export async function makeFirm(
  db: Db,
  {
    projects: projectCount,
    tasks: taskCount,
    tasksOfFirst = 0,
  }: { projects: number; tasks: number; tasksOfFirst?: number },
): Promise<{ user: UserRow; people: UserRow[]; projectIds: string[] }> {
  const people: UserRow[] = [];
  for (let at = 0; at < 12; at += 1) {
    people.push(await makeUser(db, { name: `Person ${at}`, accountType: at > 9 ? "client" : "user" }));
  }
  const [user] = people;
  if (!user) throw new Error("a firm has people");
  const colleague = (at: number) => people[1 + (at % 9)]?.id ?? user.id;
  const projectIds: string[] = [];
  for (let at = 0; at < projectCount; at += 1) {
    const project = await makeProject(db, {
      createdBy: user.id,
      title: `Project number ${at} with a title of its own`,
      description: "Slot booking for the fishing harbour: berth calendar, payments, and a day sheet for the gate.",
      status: (["todo", "inProgress", "completed"] as const)[at % 3] ?? "todo",
      clientId: at % 2 === 0 ? (people[10 + (at % 4) / 2]?.id ?? null) : null,
      assignedTo: [user.id, colleague(at), colleague(at + 3)],
      managers: [colleague(at + 5)],
      dueDate: at % 5 === 0 ? null : day(at % 90),
      createdAt: new Date(Date.now() - at * 3_600_000),
    });
    projectIds.push(project.id);
    const each = at === 0 && tasksOfFirst > 0 ? tasksOfFirst : Math.floor(taskCount / projectCount);
    await makeTasks(db, { projectId: project.id, count: each, assignees: [user.id, colleague(at)] });
  }
  // Otherwise PostgreSQL does it by itself at some time, in the middle of what is measured.
  await db.execute("vacuum analyze");
  return { user, people, projectIds };
}

async function makeTasks(
  db: Db,
  { projectId, count, assignees }: { projectId: string; count: number; assignees: string[] },
): Promise<void> {
  const by = assignees[0] ?? "";
  if (count === 0) return;
  const rows = await db
    .insert(tasks)
    .values(
      Array.from({ length: count }, (_, at) => ({
        projectId,
        number: at + 1,
        rank: appendedRank(at + 1),
        title: `Task ${at + 1}: what there is to do here`,
        description: "A few words on what it is about, where to find it and when it counts as done.",
        status: at % 3 === 0 ? ("completed" as const) : ("todo" as const),
        statusBefore: at % 3 === 0 ? ("todo" as const) : null,
        completedAt: at % 3 === 0 ? new Date() : null,
        dueDate: at % 4 === 0 ? null : day(at % 60),
        createdBy: by,
      })),
    )
    .returning({ id: tasks.id });
  await db
    .insert(taskAssignees)
    .values(rows.map(({ id }, at) => ({ taskId: id, userId: assignees[at % assignees.length] ?? by })));
  await db
    .update(projects)
    .set({ ...taskTotals, lastTaskNumber: count })
    .where(eq(projects.id, projectId));
}

function day(fromNow: number): string {
  return new Date(Date.now() + (fromNow - 10) * 86_400_000).toISOString().slice(0, 10);
}
