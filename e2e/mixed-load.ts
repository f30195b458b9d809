import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { eq } from "drizzle-orm";
import type { Db } from "../db/client";
import { messages, tasks } from "../db/schema";
import { DEMO_PASSWORD } from "./pages/account";
import { causeOf, openEventStream, openSocketStream, type RawStream } from "./raw-streams";

/** What happened during a load; a failed call is one without an answer, or with another status than it should have. */
interface LoadReport {
  /** Calls by their kind. */
  calls: Record<string, number>;
  /** Each with its kind, oldest first. */
  failures: string[];
  /** How often all streams together were begun again. */
  resumed: number;
  /** Messages and tasks that a stream did not show, showed twice or out of order. */
  lost: string[];
}

export interface MixedLoad {
  /** So far. */
  report(): Pick<LoadReport, "calls" | "failures">;
  /** Ends the calls, waits until every stream shows what is stored, and closes the streams. */
  stop(): Promise<LoadReport>;
}

interface Options {
  /** Of the server, or the proxy in front of several, with the demo organisation and without limits. */
  url: string;
  db: Db;
  /** Multiplies the pauses between calls. */
  pace?: number;
}

/** The safety timer would repair a lost notification after 15 s: the streams have less. */
const SETTLE_MS = 10_000;

/**
 * What a firm does all day, by raw HTTP calls that nothing repeats: board reads, ticks, new tasks, messages, sign-ins, pages with
 * their scripts, and streams over server-sent events and WebSockets that follow a board and a conversation.
 */
export async function startMixedLoad({ url, db, pace = 1 }: Options): Promise<MixedLoad> {
  const scene = await makeScene(url);
  const calls: Record<string, number> = {};
  const failures: string[] = [];
  const fail = (kind: string, what: string) => failures.push(`${new Date().toISOString()} ${kind}: ${what}`);
  let isOver = false;

  async function repeat(kind: string, everyMs: number, call: () => Promise<void>): Promise<void> {
    await sleep(Math.random() * everyMs * pace);
    while (!isOver) {
      const startedAt = performance.now();
      calls[kind] = (calls[kind] ?? 0) + 1;
      await call().catch((error: unknown) => fail(kind, causeOf(error)));
      await sleep(Math.max(0, everyMs * pace - (performance.now() - startedAt)));
    }
  }

  const followers = followAll({ url, scene, fail });
  const loops = callsOf({ url, scene }).flatMap(({ kind, everyMs, callers, call }) =>
    Array.from({ length: callers }, () => repeat(kind, everyMs, call)),
  );
  return {
    report: () => ({ calls, failures }),
    async stop() {
      isOver = true;
      await Promise.all(loops);
      const lost = await settled(() => followers.differences(db));
      followers.close();
      return { calls, failures, resumed: followers.resumed(), lost };
    },
  };
}

type Scene = Awaited<ReturnType<typeof makeScene>>;

/** Made by calls: the server may be of another version, with another schema. */
async function makeScene(url: string) {
  const admin = await signIn(url, "asha@sangam.example");
  const user = await signIn(url, "rohan@sangam.example");
  const project = await call(url, "projects.create", {
    ...user,
    input: {
      title: "Mixed load",
      description: "All day long.",
      status: "todo",
      startDate: "2026-11-01",
      assignedTo: [user.id],
      managers: [],
      tasks: Array.from({ length: 40 }, (_, at) => ({ title: `Task ${at}`, description: "Work." })),
    },
  });
  const input = { recipientId: user.id, text: "Good morning", clientMessageId: randomUUID() };
  const { conversation } = await call(url, "chat.start", { ...admin, input });
  const listed = await expectAnswer(boardOf(url, project.id), { headers: { cookie: user.cookie } });
  return {
    admin,
    user,
    projectId: String(project.id),
    conversationId: String(conversation.id),
    taskIds: tasksOf(listed.text).map(({ id }) => id),
  };
}

async function signIn(url: string, email: string): Promise<{ id: string; email: string; cookie: string }> {
  const { headers, text } = await post(url, "auth.signIn", {
    input: { email, password: DEMO_PASSWORD, rememberMe: true },
  });
  const { id } = JSON.parse(text).result.data.json.user;
  return { id, email, cookie: (headers.get("set-cookie") ?? "").split(";")[0] ?? "" };
}

async function call(url: string, path: string, options: { cookie: string; input: object }) {
  return JSON.parse((await post(url, path, options)).text).result.data.json;
}

function post(url: string, path: string, { cookie = "", input }: { cookie?: string; input: object }) {
  return expectAnswer(`${url}/api/trpc/${path}`, {
    method: "POST",
    headers: { "content-type": "application/json", ...(cookie && { cookie }) },
    body: JSON.stringify({ json: input }),
  });
}

function boardOf(url: string, projectId: string): string {
  return `${url}/api/trpc/tasks.list?input=${encodeURIComponent(JSON.stringify({ json: { projectId } }))}`;
}

function tasksOf(answer: string): { id: string; completed: boolean }[] {
  return JSON.parse(answer).result.data.json;
}

interface Call {
  kind: string;
  everyMs: number;
  callers: number;
  call: () => Promise<void>;
}

function callsOf({ url, scene }: { url: string; scene: Scene }): Call[] {
  const { admin, user, projectId, conversationId, taskIds } = scene;
  let count = 0;
  const send = (path: string, options: { cookie?: string; input: object }) => post(url, path, options);
  const board = boardOf(url, projectId);
  const pages = ["/dashboard", "/dashboard/messages", "/login", "/careers"];
  return [
    {
      kind: "board read",
      everyMs: 100,
      callers: 4,
      call: async () => void (await expectAnswer(board, { headers: { cookie: user.cookie } })),
    },
    {
      kind: "tick",
      everyMs: 100,
      callers: 3,
      async call() {
        count += 1;
        const taskId = taskIds[count % taskIds.length];
        await send("tasks.setCompleted", { cookie: user.cookie, input: { taskId, completed: Math.random() < 0.5 } });
      },
    },
    {
      kind: "new task",
      everyMs: 2_000,
      callers: 1,
      async call() {
        await send("tasks.create", { cookie: user.cookie, input: { projectId, title: "New", description: "Work." } });
      },
    },
    {
      kind: "message",
      everyMs: 100,
      callers: 2,
      async call() {
        const input = { conversationId, text: "A word", clientMessageId: randomUUID() };
        await send("chat.send", { cookie: Math.random() < 0.5 ? user.cookie : admin.cookie, input });
      },
    },
    {
      kind: "sign-in",
      everyMs: 2_000,
      callers: 1,
      async call() {
        const { cookie } = await signIn(url, user.email);
        await send("auth.signOut", { cookie, input: {} });
      },
    },
    {
      kind: "page",
      everyMs: 300,
      callers: 2,
      async call() {
        count += 1;
        const path = pages[count % pages.length] ?? "";
        const headers = { ...(path.startsWith("/dash") && { cookie: user.cookie }) };
        const { text } = await expectAnswer(url + path, { headers });
        // Any of its files: while two versions run, each has files that the other lacks.
        const files = text.match(/\/assets\/[\w.-]+\.(?:js|css)/g) ?? [];
        await expectAnswer(url + (files[count % files.length] ?? "/favicon.ico"), {});
      },
    },
  ];
}

async function expectAnswer(address: string, init: RequestInit): Promise<{ headers: Headers; text: string }> {
  const answer = await fetch(address, init);
  const text = await answer.text();
  if (!answer.ok)
    throw new Error(
      `${new URL(address).pathname} answered ${answer.status}: ${text.replaceAll(/\s+/g, " ").slice(0, 200)}`,
    );
  return { headers: answer.headers, text };
}

/** Six streams each over both transports. */
function followAll({ url, scene, fail }: { url: string; scene: Scene; fail: (kind: string, what: string) => void }) {
  const all = [openEventStream, openSocketStream].flatMap((open) =>
    Array.from({ length: 6 }, (_, at) => {
      const kind = open === openEventStream ? "event stream" : "socket";
      const on = { url, scene, open, fail: (what: string) => fail(kind, what) };
      return at % 2 === 0 ? followConversation(on) : followBoard(on);
    }),
  );
  return {
    resumed: () => all.reduce((sum, { stream }) => sum + stream.begun - 1, 0),
    differences: async (db: Db) => (await Promise.all(all.map((one) => one.differences(db)))).flat(),
    close() {
      for (const { stream } of all) stream.close();
    },
  };
}

interface Follower {
  stream: RawStream;
  differences(db: Db): Promise<string[]>;
}

interface FollowOptions {
  url: string;
  scene: Scene;
  open: typeof openEventStream;
  fail: (what: string) => void;
}

/** Every message once, in the order of their numbers. */
function followConversation({ url, scene, open, fail }: FollowOptions): Follower {
  const { conversationId } = scene;
  const seqs: number[] = [];
  let lastEventId: string | undefined;
  const stream = open({
    url,
    cookie: scene.admin.cookie,
    path: "chat.onMessage",
    input: () => ({ conversationId, ...(lastEventId !== undefined && { lastEventId }) }),
    onEvent({ id, data }) {
      lastEventId = id ?? lastEventId;
      const { data: inner = data } = Object(data);
      const { type, message } = Object(inner);
      if (type === "message") seqs.push(message.seq);
    },
    onFailure: fail,
  });
  return {
    stream,
    async differences(db) {
      const stored = await db.$count(messages, eq(messages.conversationId, conversationId));
      const wrong = seqs.findIndex((seq, at) => seq !== (seqs[0] ?? 1) + at);
      if (wrong >= 0) return [`message ${seqs[wrong]} after ${seqs[wrong - 1]}`];
      return seqs.at(-1) === stored ? [] : [`messages up to ${seqs.at(-1)} of ${stored}`];
    },
  };
}

/** The tasks as the events leave them: what a stream cannot make up for is read again, as the app does. */
function followBoard({ url, scene, open, fail }: FollowOptions): Follower {
  const { projectId, user } = scene;
  const shown = new Map<string, boolean>();
  /** When an event last brought a task: the answer to a read that began before may be older. */
  const notifiedAt = new Map<string, number>();
  let cursor: string | null = null;
  async function read(): Promise<void> {
    const startedAt = performance.now();
    const answer = await expectAnswer(boardOf(url, projectId), { headers: { cookie: user.cookie } });
    cursor = answer.headers.get("x-live-cursor");
    for (const { id, completed } of tasksOf(answer.text))
      if ((notifiedAt.get(id) ?? 0) < startedAt) shown.set(id, completed);
  }
  const stream = open({
    url,
    cookie: user.cookie,
    path: "projects.onChange",
    async input() {
      await read();
      return { projectId, lastEventId: cursor };
    },
    onEvent({ data }) {
      const { data: event = data } = Object(data);
      const { type, kind, steps, task } = Object(event);
      if (type === "resync" || (kind === "resync" && !steps)) void read().catch((error) => fail(causeOf(error)));
      for (const step of steps ?? [{ task }]) {
        if (!step.task) continue;
        shown.set(step.task.id, step.task.completed);
        notifiedAt.set(step.task.id, performance.now());
      }
    },
    onFailure: fail,
  });
  return {
    stream,
    async differences(db) {
      const rows = await db
        .select({ id: tasks.id, status: tasks.status })
        .from(tasks)
        .where(eq(tasks.projectId, projectId));
      const wrong = rows.filter(({ id, status }) => shown.get(id) !== (status === "completed"));
      return wrong.length === 0 ? [] : [`${wrong.length} of ${rows.length} tasks shown wrong`];
    },
  };
}

/** Asks until there are none left, or the streams have had their time. */
async function settled(differences: () => Promise<string[]>): Promise<string[]> {
  const until = performance.now() + SETTLE_MS;
  for (;;) {
    const left = await differences();
    if (left.length === 0 || performance.now() > until) return left;
    await sleep(100);
  }
}
