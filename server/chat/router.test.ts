import { randomUUID } from "node:crypto";
import { eq } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { makeConversation, makeUser, type UserRow } from "../../db/factories";
import { conversations, messages, users } from "../../db/schema";
import { MESSAGES } from "../contract/messages";
import { createLimits } from "../core/rate-limit";
import { createTestCallers, refusal, type TestCallers } from "../test/caller";
import { createTestDatabase, type TestDatabase } from "../test/db";

let database: TestDatabase;
let callers: TestCallers;
let asha: UserRow;
let vikram: UserRow;
let rohan: UserRow;

beforeAll(async () => {
  database = await createTestDatabase();
  callers = createTestCallers(database.db);
  asha = await makeUser(database.db, { name: "Asha Kulkarni", accountType: "admin" });
  vikram = await makeUser(database.db, { name: "Vikram Menon", accountType: "admin" });
  rohan = await makeUser(database.db, { name: "Rohan Shah" });
});
afterAll(() => database.close());

const key = () => randomUUID();
const newClient = () => makeUser(database.db, { accountType: "client" });
const start = async (by: UserRow, to: { id: string }, changes: object = {}) =>
  (await callers.as(by)).chat.start({ recipientId: to.id, text: "Hello", clientMessageId: key(), ...changes });
const send = async (by: UserRow, conversationId: string, changes: object = {}) =>
  (await callers.as(by)).chat.send({ conversationId, text: "And more", clientMessageId: key(), ...changes });
const listed = async (by: UserRow, conversationId: string) =>
  (await (await callers.as(by)).chat.conversations()).find(({ id }) => id === conversationId);
const rowsOf = (conversationId: string) =>
  database.db.select().from(messages).where(eq(messages.conversationId, conversationId)).orderBy(messages.seq);
const setStatus = (user: UserRow, accountStatus: "active" | "inactive") =>
  database.db.update(users).set({ accountStatus }).where(eq(users.id, user.id));

describe("the first message", () => {
  test("makes the conversation, which both see, each with the other one's name", async () => {
    const meera = await makeUser(database.db, { name: "Meera Rao", accountType: "client" });
    const clientMessageId = key();
    const { conversation, message } = await start(meera, asha, { text: "  Good morning  ", clientMessageId });
    expect(message).toEqual({
      id: expect.any(String),
      conversationId: conversation.id,
      seq: 1,
      senderId: meera.id,
      text: "Good morning",
      timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      read: false,
      clientMessageId,
      kind: "text",
      files: [],
      senderName: null,
      chip: null,
    });
    expect(conversation).toEqual({
      id: expect.any(String),
      otherUser: { id: asha.id, name: "Asha Kulkarni", accountType: "admin", profileImgLink: null, isActive: true },
      lastMessage: { text: "Good morning", timestamp: message.timestamp, senderId: meera.id, kind: "text" },
      unreadCount: 0,
      cover: null,
      coversFor: null,
      turn: expect.objectContaining({ owes: "firm", since: message.timestamp, businessMinutes: 0 }),
      lastSeq: 1,
      ownReadSeq: 0,
      otherReadSeq: 0,
      createdAt: expect.any(String),
      updatedAt: message.timestamp,
    });
    expect(await listed(asha, conversation.id)).toMatchObject({
      otherUser: { id: meera.id, name: "Meera Rao", accountType: "client" },
      unreadCount: 1,
    });
  });

  test("in 20 parallel starts from both sides makes one conversation with every message, in one order", async () => {
    const meera = await newClient();
    const started = await Promise.all(
      Array.from({ length: 20 }, (_, at) => (at % 2 ? start(meera, asha) : start(asha, meera))),
    );
    const ids = new Set(started.map(({ conversation }) => conversation.id));
    expect(ids.size).toBe(1);
    expect(started.map(({ message }) => message.seq).sort((one, other) => one - other)).toEqual(
      Array.from({ length: 20 }, (_, at) => at + 1),
    );
    const [row] = await database.db
      .select()
      .from(conversations)
      .where(eq(conversations.id, [...ids][0] ?? ""));
    expect(row?.lastSeq).toBe(20);
  });

  test("repeated, also 20 times at once, is one message and the same answer", async () => {
    const meera = await newClient();
    const clientMessageId = key();
    const answers = await Promise.all(Array.from({ length: 20 }, () => start(meera, asha, { clientMessageId })));
    expect(new Set(answers.map(({ message }) => message.id)).size).toBe(1);
    expect(await rowsOf(answers[0]?.conversation.id ?? "")).toHaveLength(1);
    await setStatus(asha, "inactive");
    // The answer was lost, and the recipient is gone by now: what was sent stays sent.
    const late = await start(meera, asha, { clientMessageId });
    expect(late.message.id).toBe(answers[0]?.message.id);
    expect((await refusal(start(meera, asha))).code).toBe("NOT_FOUND");
    await setStatus(asha, "active");
  });

  test("under a key of another message is refused and leaves no conversation behind", async () => {
    const meera = await newClient();
    const clientMessageId = key();
    const { conversation } = await start(meera, asha, { clientMessageId });
    const taken = { code: "CONFLICT", message: MESSAGES.chat.keyTaken, reason: "key-taken" };
    expect(await refusal(start(meera, asha, { clientMessageId, text: "Other words" }))).toEqual(taken);
    expect(await refusal(start(meera, vikram, { clientMessageId }))).toEqual(taken);
    expect((await (await callers.as(meera)).chat.conversations()).map(({ id }) => id)).toEqual([conversation.id]);
  });

  test("goes from admins to users and clients and from these to admins, and to all others as an unknown id is", async () => {
    const meera = await newClient();
    const resting = await makeUser(database.db, { accountType: "admin", accountStatus: "inactive" });
    const pending = await makeUser(database.db, { accountStatus: "pending" });
    const unknown = await refusal(start(meera, { id: randomUUID() }));
    expect(unknown).toEqual({ code: "NOT_FOUND", message: MESSAGES.chat.recipientNotFound });
    for (const [by, to] of [
      [meera, rohan],
      [meera, await newClient()],
      [meera, resting],
      [rohan, meera],
      [rohan, await makeUser(database.db)],
      [asha, vikram],
      [asha, pending],
    ] as const) {
      expect(await refusal(start(by, to))).toEqual(unknown);
    }
    for (const [by, to] of [
      [asha, rohan],
      [rohan, vikram],
      [vikram, meera],
    ] as const) {
      expect((await start(by, to)).message.seq).toBe(1);
    }
    expect(await refusal(start(asha, asha))).toMatchObject({
      code: "BAD_REQUEST",
      fieldErrors: { recipientId: [MESSAGES.chat.notOneself] },
    });
  });
});

test("the recipients are those to whom a start is not refused", async () => {
  const own = await createTestDatabase();
  try {
    const one = createTestCallers(own.db);
    const admin = await makeUser(own.db, { name: "Asha", accountType: "admin" });
    const resting = await makeUser(own.db, { name: "Resting", accountType: "admin", accountStatus: "inactive" });
    const user = await makeUser(own.db, { name: "Rohan" });
    const client = await makeUser(own.db, { name: "Meera", accountType: "client" });
    await makeUser(own.db, { name: "Pending", accountStatus: "pending" });
    const names = async (who: UserRow) => (await (await one.as(who)).chat.recipients()).map(({ name }) => name);
    expect(await names(admin)).toEqual(["Meera", "Rohan"]);
    expect(await names(user)).toEqual(["Asha"]);
    expect(await names(client)).toEqual(["Asha"]);
    expect(JSON.stringify(await (await one.as(client)).chat.recipients())).not.toMatch(/@|\+91/);
    expect(resting.name).toBe("Resting");
  } finally {
    await own.close();
  }
});

describe("sending", () => {
  test("numbers 40 parallel messages of two without a gap, and times follow the numbers", async () => {
    const meera = await newClient();
    const { conversation } = await start(meera, asha);
    await Promise.all(Array.from({ length: 40 }, (_, at) => send(at % 2 ? meera : asha, conversation.id)));
    const rows = await rowsOf(conversation.id);
    expect(rows.map(({ seq }) => seq)).toEqual(Array.from({ length: 41 }, (_, at) => at + 1));
    const times = rows.map(({ createdAt }) => createdAt.valueOf());
    expect(times).toEqual(times.toSorted((one, other) => one - other));
  });

  test("changes the conversation's row in place: no index of it is written again", async () => {
    // One connection: each counts for itself until it is asked to pass that on.
    const own = await createTestDatabase({ max: 1 });
    const admin = await makeUser(own.db, { accountType: "admin" });
    const { id } = await makeConversation(own.db, { between: [admin.id, (await makeUser(own.db)).id], messages: [] });
    const { chat } = await createTestCallers(own.db).as(admin);
    for (let at = 0; at < 5; at += 1) await chat.send({ conversationId: id, text: "Hello", clientMessageId: key() });
    await own.sql`select pg_stat_force_next_flush()`;
    const [counted] = await own.sql`
      select n_tup_upd::int as updates, n_tup_hot_upd::int as "inPlace" from pg_stat_user_tables where relname = 'conversations'`;
    await own.close();
    // One of them is the factory's.
    expect(counted).toEqual({ updates: 6, inPlace: 6 });
  });

  test("repeated, also 20 times at once, is one message and the same answer", async () => {
    const meera = await newClient();
    const { conversation } = await start(meera, asha);
    const clientMessageId = key();
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => send(meera, conversation.id, { clientMessageId, text: "Once" })),
    );
    for (const message of answers) expect(message).toEqual(answers[0]);
    expect((await rowsOf(conversation.id)).map(({ text }) => text)).toEqual(["Hello", "Once"]);
    expect((await send(meera, conversation.id)).seq).toBe(3);
  });

  test("under a key of another message is refused, but two people may have the same key", async () => {
    const meera = await newClient();
    const { conversation } = await start(meera, asha);
    const other = await start(meera, vikram);
    const clientMessageId = key();
    await send(meera, conversation.id, { clientMessageId, text: "First" });
    const taken = { code: "CONFLICT", message: MESSAGES.chat.keyTaken, reason: "key-taken" };
    expect(await refusal(send(meera, conversation.id, { clientMessageId, text: "Second" }))).toEqual(taken);
    expect(await refusal(send(meera, other.conversation.id, { clientMessageId, text: "First" }))).toEqual(taken);
    expect((await send(asha, conversation.id, { clientMessageId, text: "Mine" })).seq).toBe(3);
  });

  test("to a person who is inactive is refused, while all of it can still be read", async () => {
    const meera = await newClient();
    const { conversation } = await start(meera, asha);
    const clientMessageId = key();
    await send(asha, conversation.id, { clientMessageId });
    await setStatus(meera, "inactive");
    expect(await refusal(send(asha, conversation.id))).toEqual({
      code: "CONFLICT",
      message: MESSAGES.chat.recipientInactive,
    });
    expect((await send(asha, conversation.id, { clientMessageId })).seq).toBe(2);
    const caller = await callers.as(asha);
    expect((await caller.chat.messages({ conversationId: conversation.id })).items).toHaveLength(2);
    expect(await caller.chat.markRead({ conversationId: conversation.id, upToSeq: 2 })).toEqual({ upToSeq: 2 });
    expect((await listed(asha, conversation.id))?.otherUser.isActive).toBe(false);
    expect(await rowsOf(conversation.id)).toHaveLength(2);
  });

  test("between two who are no pair any more is refused with another message, and can still be read", async () => {
    const meera = await newClient();
    const { conversation } = await start(meera, asha);
    await (await callers.as(vikram)).users.setType({ userId: meera.id, accountType: "admin" });
    const refused = { code: "CONFLICT", message: MESSAGES.chat.notAPair };
    expect(await refusal(send(asha, conversation.id))).toEqual(refused);
    expect(await refusal(send(meera, conversation.id))).toEqual(refused);
    expect((await listed(meera, conversation.id))?.otherUser.isActive).toBe(false);
    const { items } = await (await callers.as(meera)).chat.messages({ conversationId: conversation.id });
    expect(items).toHaveLength(1);
  });

  test.each([
    ["no text", "", MESSAGES.chat.textRequired],
    ["blanks", " \n\t ", MESSAGES.chat.textRequired],
    ["4,001 characters", "x".repeat(4001), "Message may have at most 4,000 characters."],
    ["U+0000", "a\u0000b", "Message contains characters that cannot be stored."],
    ["half a pair", "\ud800", "Message contains characters that cannot be stored."],
  ])("refuses %s with an explanation", async (_name, text, reason) => {
    const meera = await newClient();
    const { conversation } = await start(meera, asha);
    const { code, fieldErrors } = await refusal(send(meera, conversation.id, { text }));
    expect([code, fieldErrors?.text]).toEqual(["BAD_REQUEST", [reason]]);
  });

  test("takes 4,000 emoji, and more than 60 a minute from nobody", async () => {
    const meera = await newClient();
    const { conversation } = await start(meera, asha);
    expect((await send(meera, conversation.id, { text: "😀".repeat(4000) })).text).toHaveLength(8000);
    const limits = createLimits({ sql: database.sql, multiplier: 1 });
    for (let at = 0; at < 60; at += 1) await limits.consume("message", meera.id);
    const limited = await createTestCallers(database.db, { limits }).as(meera);
    const again = { conversationId: conversation.id, text: "x", clientMessageId: key() };
    expect((await refusal(limited.chat.send(again))).code).toBe("TOO_MANY_REQUESTS");
    const toOther = { recipientId: vikram.id, text: "x", clientMessageId: key() };
    expect((await refusal(limited.chat.start(toOther))).code).toBe("TOO_MANY_REQUESTS");
    expect((await limited.chat.messages({ conversationId: conversation.id })).items).toHaveLength(2);
  });
});

describe("reading", () => {
  test("pages backwards by 50, without a gap or a double, each page ascending", async () => {
    const meera = await newClient();
    const written = Array.from({ length: 120 }, (_, at) => ({ senderId: at % 2 ? meera.id : asha.id }));
    const { id: conversationId } = await makeConversation(database.db, {
      between: [meera.id, asha.id],
      messages: written,
    });
    const caller = await callers.as(meera);
    const pages = [await caller.chat.messages({ conversationId })];
    for (let before = pages[0]?.nextCursor; before; before = pages.at(-1)?.nextCursor) {
      pages.push(await caller.chat.messages({ conversationId, before }));
    }
    expect(pages.map(({ items }) => items.length)).toEqual([50, 50, 20]);
    expect(pages.toReversed().flatMap(({ items }) => items.map(({ seq }) => seq))).toEqual(
      Array.from({ length: 120 }, (_, at) => at + 1),
    );
    const all = await caller.chat.messages({ conversationId, limit: 200, before: Number.MAX_SAFE_INTEGER });
    expect([all.items.length, all.nextCursor]).toEqual([120, null]);
    expect((await caller.chat.messages({ conversationId, limit: 20, before: 21 })).nextCursor).toBeNull();
    expect((await caller.chat.messages({ conversationId, before: 0 })).items).toEqual([]);
    expect((await refusal(caller.chat.messages({ conversationId, limit: 201 }))).code).toBe("BAD_REQUEST");
  });

  test("only the sender sees their own key", async () => {
    const meera = await newClient();
    const clientMessageId = key();
    const { conversation } = await start(meera, asha, { clientMessageId });
    const keys = async (who: UserRow) =>
      (await (await callers.as(who)).chat.messages({ conversationId: conversation.id })).items.map(
        (one) => one.clientMessageId,
      );
    expect([await keys(meera), await keys(asha)]).toEqual([[clientMessageId], [null]]);
  });

  test("a pointer moves forward only, never past the newest, and makes counts and ticks", async () => {
    const meera = await newClient();
    const { conversation } = await start(meera, asha);
    const conversationId = conversation.id;
    await send(meera, conversationId);
    await send(asha, conversationId);
    await send(meera, conversationId);
    expect((await listed(asha, conversationId))?.unreadCount).toBe(3);
    const reader = await callers.as(asha);
    const ticks = async () =>
      (await (await callers.as(meera)).chat.messages({ conversationId })).items.map(({ read }) => read);
    expect(await reader.chat.markRead({ conversationId, upToSeq: 2 })).toEqual({ upToSeq: 2 });
    expect((await listed(asha, conversationId))?.unreadCount).toBe(1);
    expect(await ticks()).toEqual([true, true, false, false]);
    expect(await reader.chat.markRead({ conversationId, upToSeq: 1 })).toEqual({ upToSeq: 2 });
    expect(await reader.chat.markRead({ conversationId, upToSeq: Number.MAX_SAFE_INTEGER })).toEqual({ upToSeq: 4 });
    expect(await listed(asha, conversationId)).toMatchObject({ unreadCount: 0, ownReadSeq: 4, otherReadSeq: 0 });
    expect(await listed(meera, conversationId)).toMatchObject({ unreadCount: 1, ownReadSeq: 0, otherReadSeq: 4 });
    expect(await ticks()).toEqual([true, true, false, true]);
    const moves = await Promise.all([3, 1, 4, 2].map((upToSeq) => reader.chat.markRead({ conversationId, upToSeq })));
    expect(moves.every(({ upToSeq }) => upToSeq === 4)).toBe(true);
  });

  test("the list has the latest first and nobody else's", async () => {
    const meera = await newClient();
    const first = await start(meera, asha);
    const second = await start(meera, vikram);
    const ids = async () => (await (await callers.as(meera)).chat.conversations()).map(({ id }) => id);
    expect(await ids()).toEqual([second.conversation.id, first.conversation.id]);
    await send(asha, first.conversation.id);
    expect(await ids()).toEqual([first.conversation.id, second.conversation.id]);
    expect(await listed(vikram, first.conversation.id)).toBeUndefined();
  });
});

test("an erased person is called unknown, cannot be written to, and leaves the record whole", async () => {
  const meera = await newClient();
  const { conversation } = await start(meera, asha, { text: "For the record" });
  const writer = await makeUser(database.db);
  const other = await start(writer, asha);
  await (await callers.as(vikram)).users.erasePerson({ userId: meera.id });
  await (await callers.as(vikram)).users.erasePerson({ userId: writer.id });
  const names = [conversation.id, other.conversation.id].map(async (id) => (await listed(asha, id))?.otherUser);
  expect(await Promise.all(names)).toEqual([
    { id: meera.id, name: "Unknown Client", accountType: "client", profileImgLink: null, isActive: false },
    { id: writer.id, name: "Unknown User", accountType: "user", profileImgLink: null, isActive: false },
  ]);
  expect((await refusal(send(asha, conversation.id))).code).toBe("CONFLICT");
  expect((await listed(asha, conversation.id))?.lastMessage?.text).toBe("For the record");
});

test("the export of a person holds what they wrote, and nothing that was written to them", async () => {
  const meera = await newClient();
  const { conversation } = await start(meera, asha, { text: "By me" });
  await send(asha, conversation.id, { text: "To me" });
  const exported = await (await callers.as(vikram)).users.exportPerson({ userId: meera.id });
  expect(exported.messages).toEqual([
    { at: expect.any(String), conversationId: conversation.id, seq: 1, text: "By me" },
  ]);
});

test("who takes no part, admins too, gets the answer for an unknown id on every procedure", async () => {
  const meera = await newClient();
  const { conversation } = await start(meera, asha);
  for (const who of [vikram, rohan, await newClient()]) {
    const { chat } = await callers.as(who);
    const calls = (conversationId: string) => [
      chat.messages({ conversationId }),
      chat.send({ conversationId, text: "x", clientMessageId: key() }),
      chat.markRead({ conversationId, upToSeq: 1 }),
      chat.onMessage({ conversationId }),
    ];
    const foreign = await Promise.all(calls(conversation.id).map(refusal));
    const unknown = await Promise.all(calls(randomUUID()).map(refusal));
    expect(foreign).toEqual(unknown);
    expect(foreign).toEqual(foreign.map(() => ({ code: "NOT_FOUND", message: MESSAGES.chat.notFound })));
  }
  expect(await listed(asha, conversation.id)).toMatchObject({ lastSeq: 1, ownReadSeq: 0, otherReadSeq: 0 });
});

test("a foreign conversation is refused before a used key is looked at", async () => {
  const meera = await newClient();
  const { conversation } = await start(meera, asha);
  const clientMessageId = key();
  await start(rohan, vikram, { clientMessageId });
  expect((await refusal(send(rohan, conversation.id, { clientMessageId, text: "Hello" }))).code).toBe("NOT_FOUND");
});

test("the database itself refuses a second row for a pair, a doubled number and a pointer past the end", async () => {
  const meera = await newClient();
  const { conversation } = await start(meera, asha);
  const [lowerUserId = "", higherUserId = ""] = [meera.id, asha.id].sort();
  const insert = (pair: { lowerUserId: string; higherUserId: string }) =>
    database.db.insert(conversations).values(pair).execute();
  await expect(insert({ lowerUserId, higherUserId })).rejects.toMatchObject({ cause: { code: "23505" } });
  await expect(insert({ lowerUserId: higherUserId, higherUserId: lowerUserId })).rejects.toMatchObject({
    cause: { code: "23514" },
  });
  const doubled = { conversationId: conversation.id, seq: 1, senderId: asha.id, clientMessageId: key(), text: "x" };
  await expect(database.db.insert(messages).values(doubled).execute()).rejects.toMatchObject({
    cause: { code: "23505" },
  });
  const past = database.db
    .update(conversations)
    .set({ lowerReadSeq: 2 })
    .where(eq(conversations.id, conversation.id))
    .execute();
  await expect(past).rejects.toMatchObject({ cause: { code: "23514" } });
});
