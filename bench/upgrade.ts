import { deepEqual } from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { disposeServer, startServer, type TestServer } from "../e2e/server";
import { compareRows, countRows, inDatabase, readRows } from "./lib/kept-rows";
import { judge, NEEDS_AGAINST, otherCheckout } from "./lib/verdict";

/*
 * Can one go on, and back? `npm run bench upgrade -- COMMIT-OR-FOLDER`: that version fills a database with its demo and more, this
 * one takes it over, and that one takes it back. Each time every row is compared, and what people see is asked for.
 */

const EMAILS = ["asha@sangam.example", "rohan@sangam.example", "meera@sangam.example"] as const;
const [PROJECTS, TASKS, MESSAGES] = [20, 100, 200];
const START = { atMost: 60, unit: "s" };
const ALL = { atLeast: 1, unit: "of what was there" };

const other = otherCheckout();
const went = other === null ? null : await goOnAndBack(other);
const missing = NEEDS_AGAINST;
judge({ what: "upgrade: rows and answers", goal: ALL, values: went ? [1] : [], missing });
judge({ what: "upgrade: start with its migrations", goal: START, values: went ? [went.startSeconds] : [], missing });
judge({ what: "the old version again: rows and answers", goal: ALL, values: went ? [1] : [], missing });

async function goOnAndBack(folder: string): Promise<{ startSeconds: number }> {
  const old = await startServer({ LOG_LEVEL: "error" }, folder);
  try {
    const cookies = await signIn(old);
    await fill(old, cookies);
    const before = await readRows(old.dataDir);
    const seen = await look(old, cookies);
    console.log(`filled: ${countRows(before)} rows`);
    await old.stop();

    const startedAt = performance.now();
    const today = await startServer({ LOG_LEVEL: "error", DATA_DIR: old.dataDir });
    const startSeconds = (performance.now() - startedAt) / 1_000;
    try {
      compareRows(await readRows(old.dataDir, before), before);
      deepEqual(await look(today, cookies), seen, "this version shows something else");
      await signIn(today);
      await write(today, cookies);
      const after = await readRows(old.dataDir, before);
      const seenAfter = await look(today, cookies);
      console.log(
        `went on in ${startSeconds.toFixed(1)} s: ${countRows(before)} rows are there, and people see the same`,
      );
      await today.stop();

      const forgotten = await startAgain(old, folder);
      compareRows(await readRows(old.dataDir, before), after);
      deepEqual(await look(old, cookies), seenAfter, "the old version shows something else");
      await signIn(old);
      await write(old, cookies);
      const written = await readRows(old.dataDir, before);
      await remember(old.dataDir, forgotten);
      await old.stop();
      console.log("went back: the old version shows what the new one wrote, and writes on");

      await today.start();
      compareRows(await readRows(old.dataDir, before), written);
      await look(today, cookies);
      console.log("went on again: nothing is missing");
    } finally {
      await disposeServer(today);
    }
    return { startSeconds };
  } finally {
    await disposeServer(old);
  }
}

type Cookies = Record<(typeof EMAILS)[number], string>;

async function signIn(server: TestServer): Promise<Cookies> {
  const cookies: Record<string, string> = {};
  for (const email of EMAILS) {
    const answer = await send(server, {
      path: "auth.signIn",
      json: { email, password: "sangam-demo", rememberMe: true },
    });
    cookies[email] = answer.headers
      .getSetCookie()
      .map((one) => one.split(";")[0])
      .join("; ");
  }
  return cookies as Cookies;
}

/** A firm's worth besides the demo, through the calls that both versions have. */
async function fill(server: TestServer, cookies: Cookies): Promise<void> {
  const by = cookies["rohan@sangam.example"];
  const tasks = Array.from({ length: TASKS }, (_, at) => ({
    title: `Task ${at}`,
    description: "What there is to do.",
  }));
  const rest = {
    description: "About it.",
    status: "inProgress",
    startDate: "2026-11-01",
    assignedTo: [],
    managers: [],
    tasks,
  };
  for (let at = 0; at < PROJECTS; at += 1) {
    await send(server, { path: "projects.create", json: { title: `Project ${at}`, ...rest }, cookie: by });
  }
  for (let at = 0; at < MESSAGES; at += 1) await write(server, cookies, `Message ${at}`);
  await send(server, { path: "auth.createApiKey", json: { name: "Report", scope: "read" }, cookie: by });
}

/** A message and a task, as either version does it. */
async function write(server: TestServer, cookies: Cookies, text = "Written after a change of version"): Promise<void> {
  const asha = cookies["asha@sangam.example"];
  const [conversation] = await ask<{ id: string }[]>(server, { path: "chat.conversations", cookie: asha });
  const json = { conversationId: conversation?.id, text, clientMessageId: randomUUID() };
  await send(server, { path: "chat.send", json, cookie: asha });
  const rohan = cookies["rohan@sangam.example"];
  const list = await ask<{ items: { id: string }[] }>(server, {
    path: "projects.list",
    json: { scope: "mine" },
    cookie: rohan,
  });
  const task = { projectId: list.items[0]?.id, title: text, description: "About it." };
  await send(server, { path: "tasks.create", json: task, cookie: rohan });
}

/** The texts and numbers of what three people see, in the words of the fields that no version may rename. */
async function look(server: TestServer, cookies: Cookies): Promise<unknown> {
  const seen: unknown[] = [];
  for (const email of EMAILS) {
    const cookie = cookies[email];
    const scope = email.startsWith("asha") ? "all" : "mine";
    const { items } = await ask<{ items: { id: string; title: string; status: string }[] }>(server, {
      path: "projects.list",
      json: { scope },
      cookie,
    });
    seen.push(items.map(({ id, title, status }) => ({ id, title, status })));
    for (const { id } of items) {
      const tasks = await ask<{ title: string; status: string }[]>(server, {
        path: "tasks.list",
        json: { projectId: id },
        cookie,
      });
      seen.push(tasks.map(({ title, status }) => ({ title, status })));
    }
    const conversations = await ask<{ id: string; unreadCount: number }[]>(server, {
      path: "chat.conversations",
      cookie,
    });
    for (const { id, unreadCount } of conversations) {
      const { items: messages } = await ask<{ items: { seq: number; text: string }[] }>(server, {
        path: "chat.messages",
        json: { conversationId: id, limit: 200 },
        cookie,
      });
      seen.push({ unreadCount, messages: messages.map(({ seq, text }) => ({ seq, text })) });
    }
  }
  return seen;
}

/**
 * Starts the old version on the schema of this one. Until a version could do that, it refused every migration that it did not know: then they
 * are taken from its list for as long as it runs, as it is the schema that is tried. Resolves with what was taken.
 */
async function startAgain(old: TestServer, folder: string): Promise<readonly Applied[]> {
  try {
    await old.start();
    return [];
  } catch (error) {
    if (!String(error).includes("does not know")) throw error;
    console.log("the old version refuses any newer schema; it is tried without its list of migrations");
  }
  const journal = JSON.parse(readFileSync(join(folder, "drizzle", "meta", "_journal.json"), "utf8"));
  const known: number[] = journal.entries.map(({ when }: { when: number }) => when);
  const taken = await inDatabase(
    old.dataDir,
    (sql) =>
      sql<Applied[]>`delete from drizzle.__drizzle_migrations where created_at > ${Math.max(...known)} returning *`,
  );
  await old.start();
  return taken;
}

interface Applied {
  id: number;
  hash: string;
  created_at: string;
}

async function remember(dataDir: string, taken: readonly Applied[]): Promise<void> {
  await inDatabase(dataDir, async (sql) => {
    for (const row of taken) await sql`insert into drizzle.__drizzle_migrations ${sql({ ...row })}`;
  });
}

interface Call {
  path: string;
  json?: object;
  cookie?: string;
}

async function send(server: TestServer, { path, json = {}, cookie = "" }: Call): Promise<Response> {
  const answer = await fetch(`${server.url}/api/trpc/${path}`, {
    method: "POST",
    headers: { "content-type": "application/json", cookie },
    body: JSON.stringify({ json }),
  });
  if (!answer.ok) throw new Error(`${path} answered ${answer.status}: ${await answer.text()}`);
  return answer;
}

async function ask<Answer>(server: TestServer, { path, json, cookie = "" }: Call): Promise<Answer> {
  const input = json === undefined ? "" : `?input=${encodeURIComponent(JSON.stringify({ json }))}`;
  const answer = await fetch(`${server.url}/api/trpc/${path}${input}`, { headers: { cookie } });
  if (!answer.ok) throw new Error(`${path} answered ${answer.status}: ${await answer.text()}`);
  return (await answer.json()).result.data.json;
}
