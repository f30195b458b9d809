import { createTRPCClient, createWSClient, wsLink } from "@trpc/client";
import superjson from "superjson";
import { afterAll, beforeAll, test } from "vitest";
import { WebSocket } from "ws";
import { makeConversation, makeSession, makeUser, type UserRow } from "../../db/factories";
import type { AppRouter } from "../router";
import { createTestDatabase, type TestDatabase } from "./db";
import { type LiveServer, startLiveServer } from "./live-server";
import { sessionCookie } from "./session-cookie";

let database: TestDatabase;
let servers: LiveServer[];
const closers: (() => void)[] = [];

beforeAll(async () => {
  database = await createTestDatabase();
  servers = [await startLiveServer(database), await startLiveServer(database), await startLiveServer(database)];
});
afterAll(async () => {
  for (const close of closers.splice(0)) close();
  await Promise.all(servers.map((server) => server.close()));
  await database.close();
});

test("however a page ends, by its socket, its event stream or its server, its person is told as away in every process", async () => {
  const asha = await makeUser(database.db, { accountType: "admin" });
  const people = await Promise.all([1, 2, 3].map(() => makeUser(database.db, { accountType: "client" })));
  for (const { id } of people)
    await makeConversation(database.db, { between: [asha.id, id], messages: [{ senderId: id }] });
  const [meera, kabir, mitali] = people;
  const screen = await openScreen(servers[0], asha);
  const socket = await openScreen(servers[1], meera);
  const eventStream = await openEventStream(servers[1], kabir);
  await openScreen(servers[2], mitali);
  await screen.shows(people);
  socket.drop();
  await eventStream.cancel();
  await servers[2]?.close();
  await screen.shows([]);
  servers.splice(2);
});

/** A browser's socket of a person who looks at a page. */
async function openScreen(server: LiveServer | undefined, user: UserRow | undefined) {
  if (!server || !user) throw new Error("nobody looks at nothing");
  const { token } = await makeSession(database.db, { userId: user.id });
  const sockets: WebSocket[] = [];
  class CookieSocket extends WebSocket {
    constructor(url: string | URL) {
      super(url, { headers: { cookie: sessionCookie(token), origin: server?.base ?? "" } });
      sockets.push(this);
    }
  }
  const client = createWSClient({
    url: `${server.base.replace("http", "ws")}/api/trpc`,
    WebSocket: CookieSocket as never,
    // Whoever is gone stays away.
    retryDelayMs: () => 60_000,
  });
  const trpc = createTRPCClient<AppRouter>({ links: [wsLink({ client, transformer: superjson })] });
  const present = new Set<string>();
  let wakeUp = () => {};
  await new Promise<void>((resolve) => {
    trpc.chat.onPresence.subscribe(undefined, {
      onData(event) {
        if (event.type === "everyone") for (const id of event.userIds) present.add(id);
        if (event.type === "presence" && event.isPresent) present.add(event.userId);
        if (event.type === "presence" && !event.isPresent) present.delete(event.userId);
        wakeUp();
        resolve();
      },
    });
  });
  closers.push(() => void client.close());
  return {
    /** The connection is gone without a word. */
    drop: () => sockets.at(-1)?.terminate(),
    async shows(people: UserRow[]) {
      const wanted = people.map(({ id }) => id).toSorted();
      while (JSON.stringify([...present].toSorted()) !== JSON.stringify(wanted)) {
        await new Promise<void>((resolve) => {
          wakeUp = resolve;
        });
      }
    },
  };
}

async function openEventStream(server: LiveServer | undefined, user: UserRow | undefined) {
  const { token } = await makeSession(database.db, { userId: user?.id ?? "" });
  const answer = await fetch(`${server?.base}/api/trpc/chat.onPresence`, {
    headers: { accept: "text/event-stream", cookie: sessionCookie(token) },
  });
  const reader = answer.body?.pipeThrough(new TextDecoderStream()).getReader();
  for (let text = ""; !text.includes("everyone"); ) text += (await reader?.read())?.value ?? "";
  return { cancel: async () => void (await reader?.cancel()) };
}
