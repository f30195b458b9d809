import { setTimeout as sleep } from "node:timers/promises";
import { createTRPCClient, createWSClient, wsLink } from "@trpc/client";
import { eq } from "drizzle-orm";
import superjson from "superjson";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { WebSocket } from "ws";
import { makeProject, makeSession, makeUser, type UserRow } from "../../db/factories";
import { sessions, users } from "../../db/schema";
import { createResetToken } from "../auth/password-changes";
import { MESSAGES } from "../contract/messages";
import { notifyAccount } from "../realtime/notify";
import type { AppRouter } from "../router";
import { cheapHash, createTestCallers, type TestCaller } from "./caller";
import { createTestDatabase, type TestDatabase } from "./db";
import { type LiveServer, openEventStream, startLiveServer } from "./live-server";
import { sessionCookie } from "./session-cookie";

let database: TestDatabase;
let servers: LiveServer[];
let admin: TestCaller;

beforeAll(async () => {
  database = await createTestDatabase();
  servers = [await startLiveServer(database), await startLiveServer(database)];
  admin = await createTestCallers(database.db).as(await makeUser(database.db, { accountType: "admin" }));
});
afterAll(async () => {
  await Promise.all(servers.map((server) => server.close()));
  await database.close();
});

interface Ending {
  name: string;
  /** The words that an open screen is told. */
  words: string;
  code: string;
  end(user: UserRow, means: { own: TestCaller; token: string }): Promise<unknown>;
}

const ENDINGS: Ending[] = [
  {
    name: "deactivation",
    code: "FORBIDDEN",
    words: MESSAGES.auth.refused,
    end: ({ id }) => admin.users.deactivate({ userId: id }),
  },
  {
    name: "a change of type",
    code: "UNAUTHORIZED",
    words: MESSAGES.auth.signedOut,
    end: ({ id }) => admin.users.setType({ userId: id, accountType: "client" }),
  },
  {
    name: "erasure",
    code: "FORBIDDEN",
    words: MESSAGES.auth.profileNotFound,
    end: ({ id }) => admin.users.erasePerson({ userId: id }),
  },
  {
    name: "a reset of the password",
    code: "UNAUTHORIZED",
    words: MESSAGES.auth.signedOut,
    async end({ id }) {
      const token = await createResetToken(database.db, { userId: id });
      await createTestCallers(database.db).anonymous.auth.resetPassword({
        token,
        password: "another-one",
        confirmPassword: "another-one",
      });
    },
  },
  {
    name: "a change of the password elsewhere",
    code: "UNAUTHORIZED",
    words: MESSAGES.auth.signedOut,
    end: (_user, { own }) =>
      own.auth.changePassword({ currentPassword: "the-present-one", newPassword: "another-one" }),
  },
  {
    name: "signing out",
    code: "UNAUTHORIZED",
    words: MESSAGES.auth.signedOut,
    end: (_user, { token }) =>
      fetch(`${servers[0]?.base}/api/trpc/auth.signOut`, {
        method: "POST",
        headers: { "content-type": "application/json", cookie: sessionCookie(token) },
      }),
  },
  {
    name: "ending all other sessions",
    code: "UNAUTHORIZED",
    words: MESSAGES.auth.signedOut,
    end: (_user, { own }) => own.auth.revokeOtherSessions(),
  },
];

describe.each(ENDINGS)("$name", ({ end, words, code }) => {
  test("ends streams and sockets on every process within 2 s, in words, and the next call is refused", async () => {
    const user = await makeUser(database.db, { passwordHash: cheapHash("the-present-one") });
    await makeProject(database.db, { createdBy: user.id });
    const { token } = await makeSession(database.db, { userId: user.id });
    const own = await createTestCallers(database.db).as(user);
    const screens = await Promise.all(servers.map((server) => openScreen(server, token)));
    const eventStream = await openEventStream(servers[1], { cookie: sessionCookie(token) });
    await end(user, { own, token });
    // From the commit on: hashing a password takes as long as the machine is busy.
    const startedAt = performance.now();
    for (const screen of screens) {
      expect(await screen.refused).toMatchObject({ message: words, data: { code } });
      await screen.closed;
    }
    expect(await eventStream.rest).toContain(code);
    expect(performance.now() - startedAt).toBeLessThan(2000);
    const next = await fetch(
      `${servers[1]?.base}/api/trpc/projects.list?input=${encodeURIComponent('{"json":{"scope":"mine"}}')}`,
      {
        headers: { cookie: sessionCookie(token) },
      },
    );
    expect(next.status).toBe(401);
    for (const screen of screens) screen.disconnect();
  });
});

test("a stream whose read is late says why before its socket is closed", async () => {
  const user = await makeUser(database.db);
  const { token } = await makeSession(database.db, { userId: user.id });
  const [server] = servers;
  if (!server) throw new Error("no server is there");
  const screen = await openScreen(server, token);
  const blocker = await database.sql.reserve();
  await blocker`begin`;
  // Who may go on is read with it; which sockets have no session any more is read without.
  await blocker`lock table organisation in access exclusive mode`;
  await database.db.transaction(async (tx) => {
    await tx.update(users).set({ accountStatus: "inactive" }).where(eq(users.id, user.id));
    await tx.delete(sessions).where(eq(sessions.userId, user.id));
    await notifyAccount(tx, { userId: user.id });
  });
  await sleep(900);
  await blocker`rollback`;
  blocker.release();
  expect(await Promise.race([screen.refused, screen.closed])).toMatchObject({ message: MESSAGES.auth.refused });
  await screen.closed;
  screen.disconnect();
});

async function openScreen(server: LiveServer, token: string) {
  let closed = () => {};
  const closing = new Promise<void>((resolve) => {
    closed = resolve;
  });
  class CookieSocket extends WebSocket {
    constructor(url: string | URL) {
      super(url, { headers: { cookie: sessionCookie(token), origin: server.base } });
      this.on("close", (reason) => {
        if (reason === 4401) closed();
      });
    }
  }
  const socket = createWSClient({
    url: `${server.base.replace("http", "ws")}/api/trpc`,
    WebSocket: CookieSocket as never,
  });
  const client = createTRPCClient<AppRouter>({ links: [wsLink({ client: socket, transformer: superjson })] });
  let started = () => {};
  const starting = new Promise<void>((resolve) => {
    started = resolve;
  });
  const refused = new Promise<unknown>((resolve) => {
    client.projects.onChange.subscribe(undefined, { onStarted: () => started(), onError: resolve });
  });
  await starting;
  return { refused, closed: closing, disconnect: () => void socket.close() };
}
