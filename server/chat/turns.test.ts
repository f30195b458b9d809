import { randomUUID } from "node:crypto";
import { eq, sql } from "drizzle-orm";
import { afterAll, beforeAll, expect, test } from "vitest";
import { countedTurns } from "../../db/conversation-turns";
import { makeConversation, makeUser, type UserRow } from "../../db/factories";
import { conversations, messages, organisation, users } from "../../db/schema";
import { MESSAGES } from "../contract/messages";
import type { Conversation } from "../contract/views";
import { createTestCallers, refusal, type TestCallers } from "../test/caller";
import { createTestDatabase, type TestDatabase } from "../test/db";

let database: TestDatabase;
let callers: TestCallers;
let asha: UserRow;
let rohan: UserRow;
let meera: UserRow;
let conversation: Conversation;

const MINUTE = 60_000;

beforeAll(async () => {
  database = await createTestDatabase();
  callers = createTestCallers(database.db);
  asha = await makeUser(database.db, { accountType: "admin" });
  rohan = await makeUser(database.db);
  meera = await makeUser(database.db, { accountType: "client" });
  // Every minute but the last of a day is business time, so that what was waited for does not depend on the hour of the test.
  await database.db
    .insert(organisation)
    .values({ timeZone: "UTC", businessHours: { days: [1, 2, 3, 4, 5, 6, 7], from: "00:00", to: "23:59" } });
  ({ conversation } = await (await callers.as(meera)).chat.start({
    recipientId: asha.id,
    text: "May we move the review?",
    clientMessageId: randomUUID(),
  }));
});
afterAll(() => database.close());

const send = async (by: UserRow, text = "And more") =>
  (await callers.as(by)).chat.send({ conversationId: conversation.id, text, clientMessageId: randomUUID() });
const turnFor = async (by: UserRow) =>
  (await (await callers.as(by)).chat.conversations()).find(({ id }) => id === conversation.id)?.turn;
const settle = async (by: UserRow, upToSeq: number) =>
  (await callers.as(by)).chat.settleTurn({ conversationId: conversation.id, upToSeq });

/** What the rows of all conversations say, and what is counted from their messages. */
async function storedAndCounted() {
  const { id, turnOwes, turnSeq } = conversations;
  const stored = await database.db.select({ id, owes: turnOwes, seq: turnSeq }).from(conversations).orderBy(id);
  const counted = await database.db.execute<{ id: string; owes: string; seq: string }>(
    sql`select * from (${countedTurns()}) as counted order by id`,
  );
  return { stored, counted: [...counted].map((row) => ({ ...row, seq: Number(row.seq) })) };
}

test("whoever was written to owes the next message, since the first that was not answered", async () => {
  const [first] = await database.db.select().from(messages).where(eq(messages.conversationId, conversation.id));
  const since = first?.createdAt.toISOString();
  expect(conversation.turn).toMatchObject({ owes: "firm", since, businessMinutes: 0, answerBy: expect.any(String) });
  await send(meera);
  expect(await turnFor(asha)).toMatchObject({ owes: "firm", since });
  const answer = await send(asha, "On Thursday.");
  expect(await turnFor(asha)).toMatchObject({ owes: "client", since: answer.timestamp, answerBy: null });
  await send(asha, "At ten.");
  expect(await turnFor(meera)).toMatchObject({ owes: "client", since: answer.timestamp });
});

test("after 'No reply needed' nobody owes anything, until the next message", async () => {
  const thanks = await send(meera, "Thanks!");
  await settle(asha, thanks.seq);
  expect(await turnFor(meera)).toEqual({
    owes: "nobody",
    since: null,
    businessMinutes: 0,
    businessDays: 0,
    answerBy: null,
    clock: null,
  });
  // Again: the same.
  await settle(asha, thanks.seq);
  const next = await send(meera, "One more thing.");
  expect(await turnFor(asha)).toMatchObject({ owes: "firm", since: next.timestamp });
});

test("nobody settles a message that they have not been shown", async () => {
  const last = await send(meera, "And another one.");
  expect(await refusal(settle(asha, last.seq - 1))).toMatchObject({
    code: "CONFLICT",
    reason: "stale-version",
    message: MESSAGES.chat.newerMessage,
  });
  expect(await turnFor(asha)).toMatchObject({ owes: "firm" });
});

test("a message of the system is nobody's turn", async () => {
  const { owes, since } = (await turnFor(asha)) ?? {};
  await database.db.transaction(async (tx) => {
    const [row] = await tx
      .update(conversations)
      .set({ lastSeq: sql`${conversations.lastSeq} + 1` })
      .where(eq(conversations.id, conversation.id))
      .returning();
    await tx.insert(messages).values({
      conversationId: conversation.id,
      seq: row?.lastSeq ?? 0,
      senderId: asha.id,
      clientMessageId: randomUUID(),
      kind: "system",
      text: "HBP-12 is completed.",
    });
  });
  expect(await turnFor(asha)).toMatchObject({ owes, since });
});

test("between an admin and a user nobody owes anything", async () => {
  await (await callers.as(rohan)).chat.start({ recipientId: asha.id, text: "Hello", clientMessageId: randomUUID() });
  const [own] = await (await callers.as(rohan)).chat.conversations();
  expect(own?.turn.owes).toBe("nobody");
  const listed = await (await callers.as(asha)).chat.conversations();
  expect(listed.find(({ id }) => id === own?.id)?.turn.owes).toBe("nobody");
});

test("turns equal a recount from the messages, whoever wrote in whatever order", async () => {
  const people = [asha, meera];
  for (const senders of [[], [0], [1], [0, 0], [1, 0], [0, 1, 1], [1, 1, 0, 0, 1]]) {
    const other = await makeUser(database.db, { accountType: "client" });
    const { id } = await makeConversation(database.db, { between: [asha.id, other.id], messages: [] });
    for (const at of senders) {
      const by = people[at] === asha ? asha : other;
      await (await callers.as(by)).chat.send({ conversationId: id, text: "So", clientMessageId: randomUUID() });
    }
  }
  const { stored, counted } = await storedAndCounted();
  expect(stored).toHaveLength(9);
  expect(stored).toEqual(counted);
  // And whatever whoever answered is now.
  await database.db.update(users).set({ accountType: "user" }).where(eq(users.id, asha.id));
  expect((await storedAndCounted()).counted).toEqual(stored);
  await database.db.update(users).set({ accountType: "admin" }).where(eq(users.id, asha.id));
});

test("business minutes are counted by the organisation's hours", async () => {
  const since = new Date(Date.now() - 90 * MINUTE);
  const client = await makeUser(database.db, { accountType: "client" });
  const { id } = await makeConversation(database.db, {
    between: [asha.id, client.id],
    messages: [{ senderId: client.id, createdAt: since }],
  });
  const turn = (await (await callers.as(client)).chat.conversations()).find((one) => one.id === id)?.turn;
  // A night between two days costs a minute.
  expect([89, 90]).toContain(turn?.businessMinutes);
});
