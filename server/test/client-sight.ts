import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect } from "vitest";
import { FIRST_ANSWERS_ID } from "../contract/first-answers";
import { APP_PAGES, PUBLIC_PAGES } from "../contract/paths";
import { STREAM_TIMES } from "../realtime/stream";
import { createTestDatabase, type TestDatabase } from "./db";
import { type LiveServer, startLiveServer } from "./live-server";

/* All that a client may call or receive, as bytes, for tests that compare them with and without what clients do not learn. */

/** What is compared: a server, and a project of a client with one task and one conversation. */
export interface ClientWorld {
  database: TestDatabase;
  server: LiveServer;
  projectId: string;
  taskId: string;
  conversationId: string;
  cookie: string;
  /** Addresses of what is no call: feeds and documents. */
  downloads?: readonly string[];
  /** Addresses of pages, of which the documents are compared; see `documentsOf`. */
  documents?: readonly string[];
}

/** A database and its server, without heartbeats: these come by the clock. */
export async function openWorld(): Promise<Pick<ClientWorld, "database" | "server">> {
  const database = await createTestDatabase();
  const streamTimes = { ...STREAM_TIMES, heartbeatAfterMs: Number.POSITIVE_INFINITY };
  const root = makeBuild();
  const server = await startLiveServer({ ...database, streamTimes, root });
  // It has read the pages.
  rmSync(root, { recursive: true });
  return { database, server };
}

/** The least of which the server makes documents. Nothing draws them: what they would show is drawn of what they carry. */
function makeBuild(): string {
  const root = mkdtempSync(join(tmpdir(), "sangam-build-"));
  const write = (file: string, text: string) => writeFileSync(join(root, "dist", file), text);
  for (const folder of ["pages", ".vite"]) mkdirSync(join(root, "dist", folder), { recursive: true });
  write("index.html", '<html><head><title>Sangam</title></head><body><div id="root"></div></body></html>');
  for (const name of [...Object.values(PUBLIC_PAGES), "404"]) write(`pages/${name}.html`, "<html></html>");
  write(".vite/pages.json", "{}");
  return root;
}

const CLIENT_PAGE = /^\/(client|dashboard|sign-offs)\b/;

/** The addresses of all pages that a client may open, with these ids, and of what opens over the first of them. */
export function documentsOf(ids: { projectId: string; conversationId: string; signOffId: string }): string[] {
  const pages = Object.keys(APP_PAGES).filter((page) => CLIENT_PAGE.test(page));
  const addresses = pages.map((page) =>
    page.replace(":id", page.startsWith("/sign-offs") ? ids.signOffId : ids.conversationId),
  );
  return [...addresses, "/client?task=HBP-1", `/client?panel=${ids.projectId}`, "/task/HBP-1"];
}

export async function closeWorlds(worlds: readonly ClientWorld[]): Promise<void> {
  for (const { server, database } of worlds) {
    await server.close();
    await database.close();
  }
}

/** Every query that a client may call, with what it is asked, and in brackets what is special about it. A new one belongs here, or below. */
export const CALLS: Record<string, (world: ClientWorld) => object | undefined> = {
  "auth.me": () => undefined,
  "auth.twoFactorStatus": () => undefined,
  "auth.sessions": () => undefined,
  "auth.apiKeys": () => undefined,
  "organisation.get": () => undefined,
  "projects.list": () => ({ scope: "mine" }),
  "projects.byId": ({ projectId }) => ({ projectId }),
  "projects.calendar": () => ({ from: "2026-11-01", to: "2026-12-31" }),
  "projects.history": ({ projectId }) => ({ projectId }),
  "tasks.list": ({ projectId }) => ({ projectId }),
  "tasks.byKey": () => ({ key: "HBP-1" }),
  "tasks.mine": () => undefined,
  "labels.list": () => undefined,
  "chat.conversations": () => undefined,
  "chat.recipients": () => undefined,
  "chat.messages": ({ conversationId }) => ({ conversationId }),
  "comments.list": ({ taskId }) => ({ subject: { taskId } }),
  "comments.list (of the project)": ({ projectId }) => ({ subject: { projectId } }),
  "comments.mentionable": ({ taskId }) => ({ subject: { taskId } }),
  "comments.mentionable (of the project)": ({ projectId }) => ({ subject: { projectId } }),
  "files.list": ({ taskId }) => ({ subject: { taskId } }),
  "files.list (of the project)": ({ projectId }) => ({ subject: { projectId } }),
  "github.commits": () => ({}),
  "notifications.list": () => ({}),
  "notifications.unread": () => undefined,
  "notifications.preferences": () => undefined,
  "notifications.following": ({ taskId }) => ({ subject: { taskId } }),
  "notifications.following (of the project)": ({ projectId }) => ({ subject: { projectId } }),
  "search.all": () => ({ q: "secret" }),
  "requests.list": () => ({}),
  "requests.counts": () => undefined,
  "signOffs.list": () => ({}),
  "statusUpdates.list": ({ projectId }) => ({ projectId }),
  "overview.sinceLastVisit": () => undefined,
  "overview.changes": () => ({ since: "2026-01-01T00:00:00.000Z", kind: "messages" }),
  "overview.waiting": () => undefined,
  "feeds.calendar": () => undefined,
};
export const STREAMS: Record<string, (world: ClientWorld) => object | undefined> = {
  "projects.onChange": () => ({}),
  "github.onChange": () => ({}),
  "chat.onInbox": () => ({}),
  "chat.onMessage": ({ conversationId }) => ({ conversationId }),
  "chat.onPresence": () => undefined,
  "comments.onChange": ({ taskId }) => ({ subject: { taskId }, also: ["files", "people"] }),
  "comments.onChange (of the project)": ({ projectId }) => ({ subject: { projectId }, also: ["files", "people"] }),
  "notifications.onChange": () => ({}),
  "labels.onChange": () => ({}),
  "requests.onChange": () => ({}),
  "live.onEvent": () => ({
    topics: ["projects", "inbox", "presence", "notifications", "github", "labels", "requests"],
  }),
};
/** Headers that differ from answer to answer. */
export const VOLATILE = new Set(["date", "x-request-id", "x-live-cursor", "ratelimit", "keep-alive"]);
/** Of an entry above. */
export const procedureOf = (name: string) => name.replace(/ .*/, "");
const pathOf = (name: string, input: object | undefined) =>
  `/api/trpc/${procedureOf(name)}${input ? `?input=${encodeURIComponent(JSON.stringify({ json: input }))}` : ""}`;

/** Everything that the client is answered, headers included; or only by calls of some names. */
export async function answersOf(world: ClientWorld, names = /^/): Promise<string[]> {
  const answers: string[] = [];
  for (const [name, inputOf] of Object.entries(CALLS).filter(([called]) => names.test(called))) {
    const answer = await fetch(`${world.server.base}${pathOf(name, inputOf(world))}`, {
      headers: { cookie: world.cookie },
    });
    const headers = [...answer.headers].filter(([header]) => !VOLATILE.has(header));
    const text = withoutMoment(await answer.text());
    answers.push(`${name} ${answer.status} ${text} ${JSON.stringify(headers)}`);
  }
  for (const path of world.downloads ?? []) {
    const answer = await fetch(`${world.server.base}${path}`, { headers: { cookie: world.cookie } });
    const headers = [...answer.headers].filter(([header]) => !VOLATILE.has(header));
    const text = withoutMoment(Buffer.from(await answer.arrayBuffer()).toString("latin1")).replaceAll(
      world.server.base,
      "",
    );
    answers.push(`download ${answer.status} ${text} ${JSON.stringify(headers)}`);
  }
  for (const path of world.documents ?? []) answers.push(await documentAt(path, world));
  return answers;
}

/** A document with what it carries, for which it does not wait for long: on a busy machine it is asked for again. */
async function documentAt(path: string, { server, cookie }: ClientWorld): Promise<string> {
  let found = "";
  await expect
    .poll(async () => {
      const answer = await fetch(server.base + path, { headers: { cookie }, redirect: "manual" });
      const headers = [...answer.headers].filter(([header]) => !VOLATILE.has(header));
      const text = withoutMoment(await answer.text()).replace(/"cursor":"[^"]+"/, '"cursor":"now"');
      found = `${path} ${answer.status} ${text} ${JSON.stringify(headers)}`;
      return answer.status === 302 || text.includes(`id="${FIRST_ANSWERS_ID}"`);
    })
    .toBe(true);
  return found;
}

/** Without the moment of the answer itself: calendars and documents say when they were made. */
function withoutMoment(text: string): string {
  return text
    .replace(/DTSTAMP:\w+/g, "DTSTAMP:now")
    .replace(/\(D:\d{14}Z\)|\/ID \[[^\]]*\]/g, "")
    .replace(/"upTo":"[^"]+"/g, '"upTo":"now"');
}

/** For each of some streams a text that it brings, by the name that it has in `STREAMS`. */
export type Brought = Partial<Record<keyof typeof STREAMS, string>>;
/** What a client's streams begin with that say how things are. */
export const BEGINNINGS: Brought = {
  "chat.onPresence": "everyone",
  "comments.onChange": "files",
  "comments.onChange (of the project)": "files",
  "live.onEvent": "everyone",
};
const QUIET_MS = 500;

export interface Listening {
  /**
   * Until the streams have brought these texts, however busy the machine is. A stream that reads late tells two changes as one: a world
   * is compared with another only if either goes on after the client has received what came before.
   */
  until(texts: Brought): Promise<void>;
  /** Ends the streams and returns what each has brought; `last` is what they are waited for before. */
  stop(last: Brought): Promise<string[]>;
}

/** Opens the client's streams. */
export async function listen(world: ClientWorld): Promise<Listening> {
  const ending = new AbortController();
  const streams = await Promise.all(
    Object.entries(STREAMS).map(async ([name, inputOf]) => {
      const answer = await fetch(`${world.server.base}${pathOf(name, inputOf(world))}`, {
        headers: { cookie: world.cookie, accept: "text/event-stream" },
        signal: ending.signal,
      });
      const stream = { name, text: "" };
      const decoder = new TextDecoder();
      const reading = (async () => {
        for await (const chunk of answer.body ?? []) stream.text += decoder.decode(chunk, { stream: true });
      })().catch(() => {});
      return { stream, reading };
    }),
  );
  const until = (texts: Brought) =>
    expect
      .poll(() => streams.flatMap(({ stream: { name, text } }) => (text.includes(texts[name] ?? "") ? [] : name)))
      .toEqual([]);
  return {
    until,
    async stop(last) {
      await until(last);
      // What would come without anything to say comes by now.
      await sleep(QUIET_MS);
      ending.abort();
      await Promise.all(streams.map(({ reading }) => reading));
      // Pings of the transport keep a connection open.
      return streams.map(({ stream }) => `${stream.name}: ${stream.text.replace(/event: ping\ndata: *\n\n\n?/g, "")}`);
    },
  };
}

/** What a client was answered and received, without what differs from world to world. */
export interface Sight {
  /** With ids, tags and versions that are worked out of ids by the order of their appearance. */
  texts: string[];
  /** In the order of their appearance, in milliseconds. */
  instants: number[];
}

export function comparable(answers: string[]): Sight {
  const names = new Map<string, string>();
  const nameOf = (kind: string) => (found: string) => {
    const name = names.get(found) ?? `<${kind} ${names.size}>`;
    names.set(found, name);
    return name;
  };
  const instants: number[] = [];
  const texts = answers.map((text) =>
    text
      .replace(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}(\.\d+)?/g, nameOf("id"))
      .replace(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/g, (found) => {
        instants.push(Date.parse(found));
        return "<instant>";
      })
      .replace(/\b\d{8}T\d{6}Z/g, "<second>")
      .replace(/(?<="version":)\d{16}\b/g, nameOf("version"))
      .replace(/\["etag","[^\]]*\]/g, nameOf("tag")),
  );
  return { texts, instants };
}

/** What one world did at once may take another one so long on a busy machine; what happened later is seconds away. */
const AT_ONCE_MS = 500;

/** The same bytes, and what has one time in a world has one in the other. */
export function expectSameSight(one: Sight, other: Sight): void {
  // Each by itself: a report of all of them would be cut before the one that differs.
  expect(other.texts.length).toBe(one.texts.length);
  for (const [at, text] of one.texts.entries()) expect(other.texts[at]).toBe(text);
  expect(spreadOf(one, other)).toBeLessThan(AT_ONCE_MS);
  expect(spreadOf(other, one)).toBeLessThan(AT_ONCE_MS);
}

/** By how much the other world's times are apart that are the same in this one. */
function spreadOf({ instants }: Sight, other: Sight): number {
  const others = new Map<number, number[]>();
  for (const [at, instant] of instants.entries()) {
    const found = others.get(instant) ?? [];
    others.set(instant, found);
    found.push(other.instants[at] ?? Number.NaN);
  }
  return Math.max(0, ...[...others.values()].map((times) => Math.max(...times) - Math.min(...times)));
}
