import { afterAll, beforeAll, expect, test } from "vitest";
import { messageOutbox } from "@/features/chat/outbox";
import { commentOutbox } from "@/features/comments/outbox";
import { makeConversation, makeSession, makeUser } from "../../db/factories";
import { createLogger } from "../../server/core/logger";
import { createTestDatabase, type TestDatabase } from "../../server/test/db";
import { type LiveServer, startLiveServer } from "../../server/test/live-server";
import { sessionCookie } from "../../server/test/session-cookie";
import { createJournal } from "./journal";
import { createOutbox } from "./outbox";
import { Page } from "./page";
import { createRecorder } from "./recorder";

let database: TestDatabase;
let server: LiveServer;
const log: string[] = [];

beforeAll(async () => {
  database = await createTestDatabase();
  const logger = createLogger({ level: "info", write: (line) => log.push(line) });
  server = await startLiveServer({ ...database, logger });
});
afterAll(async () => {
  await server.close();
  await database.close();
});

test("a conversation that is opened is read once: a second read could answer with less than its stream begins behind", async () => {
  const asha = await makeUser(database.db, { accountType: "admin" });
  const meera = await makeUser(database.db, { accountType: "client" });
  await makeConversation(database.db, { between: [asha.id, meera.id], messages: [{ senderId: meera.id }] });
  const page = new Page({
    personId: asha.id,
    url: `http://127.0.0.1:${server.port}`,
    cookie: sessionCookie((await makeSession(database.db, { userId: asha.id })).token),
    outbox: createOutbox(messageOutbox),
    commentOutbox: createOutbox(commentOutbox),
    journal: createJournal(createRecorder(), { tab: "Asha/1", personId: asha.id, life: 0 }),
    stream: "live.onEvent",
  });
  await expect.poll(() => page.conversations().length).toBe(1);
  page.open(meera.id);
  await expect.poll(() => page.screen().thread?.items.length).toBe(1);
  await expect.poll(() => page.isAtRest()).toBe(true);
  expect(log.filter((line) => JSON.parse(line).procedure === "chat.messages")).toHaveLength(1);
  page.close();
});
