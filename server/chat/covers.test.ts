import { randomUUID } from "node:crypto";
import { isTrackedEnvelope } from "@trpc/server";
import { eq, sql } from "drizzle-orm";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { makeConversation, makeFile, makeUser, type UserRow } from "../../db/factories";
import { auditEvents, conversations, mailJobs, messages } from "../../db/schema";
import { DAY_MS } from "../contract/days";
import type { ConversationEvent } from "../contract/views";
import { findFile } from "../files/queries";
import { refusal, startTestProcess, type TestProcess } from "../test/caller";
import { createTestDatabase, type TestDatabase } from "../test/db";
import { endDueCovers } from "./covers";
import { mailUnread } from "./unread-mail";

let database: TestDatabase;
/** Two processes on one database. */
let here: TestProcess;
let there: TestProcess;
let asha: UserRow;
let vikram: UserRow;
let kabir: UserRow;
let meera: UserRow;
let conversationId: string;

beforeAll(async () => {
  database = await createTestDatabase();
  [here, there] = await Promise.all([startTestProcess(database), startTestProcess(database)]);
  kabir = await makeUser(database.db, { name: "Kabir Anand", accountType: "admin" });
});
afterAll(async () => {
  await Promise.all([here, there].map(({ presence }) => presence.close()));
  await Promise.all([here, there].map(({ listener }) => listener.close()));
  await database.close();
});
beforeEach(async () => {
  asha = await makeUser(database.db, { name: "Asha Kulkarni", accountType: "admin" });
  vikram = await makeUser(database.db, { name: "Vikram Menon", accountType: "admin" });
  meera = await makeUser(database.db, { name: "Meera Rao", accountType: "client" });
  const written = [{ senderId: asha.id }, { senderId: meera.id, text: "Any news of the harbour?" }];
  conversationId = (await makeConversation(database.db, { between: [asha.id, meera.id], messages: written })).id;
});

const chatOf = async (user: UserRow, callers = here) => (await callers.as(user)).chat;
const handOver = async (by = asha, to = vikram, until?: Date) =>
  (await chatOf(by)).handOver({ conversationId, toUserId: to.id, ...(until && { until }) });
const takeBack = async (by = asha) => (await chatOf(by)).takeBack({ conversationId });
const send = async (by: UserRow, text = "Hello") =>
  (await chatOf(by)).send({ conversationId, text, clientMessageId: randomUUID() });
const settle = async (by: UserRow) => (await chatOf(by)).settleTurn({ conversationId, upToSeq: 2 });
/** Whether it is among what waits for them, or for clients for the firm. */
const waitsFor = async (user: UserRow) =>
  (await (await here.as(user)).overview.waiting()).some(
    ({ subject }) => "conversationId" in subject && subject.conversationId === conversationId,
  );
const read = async (by: UserRow) => (await chatOf(by)).messages({ conversationId });
const shownTo = async (user: UserRow) =>
  (await (await chatOf(user)).conversations()).find(({ id }) => id === conversationId);
const later = () => new Date(Date.now() + DAY_MS);
/** The time of the cover is over; nothing has noticed yet. */
const letTimePass = () =>
  database.db
    .update(conversations)
    .set({ coverUntil: sql`now() - interval '1 second'` })
    .where(eq(conversations.id, conversationId));
const auditOf = async (subject: UserRow) =>
  (await database.db.select().from(auditEvents).where(eq(auditEvents.subjectId, subject.id))).map(
    ({ kind, actorId }) => [kind, actorId],
  );

describe("while somebody covers a conversation", () => {
  test("the cover reads, writes and has the unread count; the admin reads and may not write", async () => {
    const until = later();
    const { cover } = await handOver(asha, vikram, until);
    expect(cover).toMatchObject({ person: { id: vikram.id, name: "Vikram Menon" }, until: until.toISOString() });
    expect((await read(vikram)).items).toHaveLength(2);
    expect(await shownTo(vikram)).toMatchObject({
      otherUser: { id: meera.id, isActive: true },
      coversFor: { id: asha.id },
      unreadCount: 1,
      cover,
    });
    expect(await shownTo(asha)).toMatchObject({ unreadCount: 0, cover, coversFor: null });
    expect(await shownTo(meera)).toMatchObject({ otherUser: { id: asha.id }, cover, coversFor: null });
    expect((await read(asha)).items).toHaveLength(2);
    expect(await refusal(send(asha))).toMatchObject({ code: "CONFLICT", reason: "handed-over" });
    const start = (await chatOf(asha)).start({ recipientId: meera.id, text: "Hi", clientMessageId: randomUUID() });
    expect(await refusal(start)).toMatchObject({ code: "CONFLICT", reason: "handed-over" });
    // The answer is owed by the cover, who alone may say that none is needed.
    expect(await Promise.all([asha, vikram, meera].map(waitsFor))).toEqual([false, true, true]);
    expect(await refusal(settle(asha))).toMatchObject({ code: "CONFLICT", reason: "handed-over" });
    expect((await shownTo(vikram))?.turn).toMatchObject({ owes: "firm" });
    await send(vikram, "I stand in for Asha.");
    const [newest] = (await read(meera)).items.slice(-1);
    expect(newest).toMatchObject({ senderId: vikram.id, senderName: "Vikram Menon", read: false });
    expect((await read(asha)).items.at(-1)).toMatchObject({ senderName: "Vikram Menon", clientMessageId: null });
  });

  test("read marks are those of the admin's side: moved by the cover, seen by the client, kept afterwards", async () => {
    await handOver();
    const admin = await chatOf(asha);
    expect(await admin.markRead({ conversationId, upToSeq: 2 })).toEqual({ upToSeq: 0 });
    const cover = await chatOf(vikram);
    expect(await cover.markRead({ conversationId, upToSeq: 2 })).toEqual({ upToSeq: 2 });
    expect((await read(meera)).items[1]).toMatchObject({ read: true });
    await send(vikram, "One");
    expect(await shownTo(meera)).toMatchObject({ unreadCount: 2, otherReadSeq: 2 });
    await (await chatOf(meera)).markRead({ conversationId, upToSeq: 3 });
    for (const user of [vikram, asha]) expect((await read(user)).items.at(-1)).toMatchObject({ read: true });
    await send(meera, "Two");
    await takeBack();
    // What the cover wrote is no news to the admin; what the client wrote is.
    expect(await shownTo(asha)).toMatchObject({ unreadCount: 1, cover: null });
    expect(await Promise.all([asha, vikram].map(waitsFor))).toEqual([true, false]);
    await send(vikram).catch(() => {});
    expect((await read(meera)).items.filter(({ senderId }) => senderId === vikram.id)).toHaveLength(1);
  });

  test("the cover's own conversation with the same person stays apart", async () => {
    const own = await (await chatOf(vikram)).start({
      recipientId: meera.id,
      text: "From me",
      clientMessageId: randomUUID(),
    });
    expect(own.conversation.id).not.toBe(conversationId);
    await handOver();
    const again = await (await chatOf(vikram)).start({
      recipientId: meera.id,
      text: "From me again",
      clientMessageId: randomUUID(),
    });
    expect(again.conversation).toMatchObject({ id: own.conversation.id, coversFor: null });
    expect((await (await chatOf(vikram)).conversations()).map(({ id }) => id).sort()).toEqual(
      [own.conversation.id, conversationId].sort(),
    );
    expect((await read(meera)).items).toHaveLength(2);
  });

  test("the client may write, though the admin is not active any more; without a cover not", async () => {
    await (await here.as(kabir)).users.deactivate({ userId: asha.id });
    expect((await refusal(send(meera))).code).toBe("CONFLICT");
    expect((await read(meera)).items).toHaveLength(2);
    await handOver(kabir, vikram);
    expect(await shownTo(meera)).toMatchObject({ otherUser: { id: asha.id, isActive: true } });
    await send(meera, "Is somebody there?");
    expect(await shownTo(vikram)).toMatchObject({ unreadCount: 2 });
    await takeBack(kabir);
    expect((await refusal(send(meera))).code).toBe("CONFLICT");
  });

  test("files and search of its messages are the cover's too, and nobody's afterwards", async () => {
    const [first] = await database.db.select().from(messages).where(eq(messages.conversationId, conversationId));
    const file = await makeFile(database.db, { messageId: first?.id ?? "", uploadedBy: meera.id });
    const found = async () => ({
      file: (await findFile(database.db, { id: file.id, actor: { ...vikram, displayName: "" } }))?.id,
      messages: (await (await here.as(vikram)).search.all({ q: "harbour" })).messages.length,
    });
    expect(await found()).toEqual({ file: undefined, messages: 0 });
    await handOver();
    expect(await found()).toEqual({ file: file.id, messages: 1 });
    await letTimePass();
    expect(await found()).toEqual({ file: undefined, messages: 0 });
  });

  test("mail about unread messages goes to the cover, and to the admin for what is unread when it ends", async () => {
    const mailed = async () => {
      await database.db.delete(mailJobs);
      await database.db
        .update(messages)
        .set({ createdAt: new Date(Date.now() - 16 * 60_000) })
        .where(eq(messages.conversationId, conversationId));
      await mailUnread(database.db, { presentIds: [] });
      const jobs = await database.db.select().from(mailJobs).where(eq(mailJobs.conversationId, conversationId));
      return jobs.map(({ recipient }) => recipient).filter((id) => id !== meera.id);
    };
    expect(await mailed()).toEqual([asha.id]);
    await handOver();
    expect(await mailed()).toEqual([vikram.id]);
    expect(await mailed()).toEqual([]);
    await takeBack();
    expect(await mailed()).toEqual([asha.id]);
  });

  test("presence and typing are the cover's", async () => {
    await handOver();
    const presence = (await (await chatOf(meera, there)).onPresence())[Symbol.asyncIterator]();
    await presence.next();
    const covering = (await (await chatOf(vikram)).onPresence())[Symbol.asyncIterator]();
    await covering.next();
    expect((await presence.next()).value).toEqual({ type: "presence", userId: vikram.id, isPresent: true });
    await (await chatOf(vikram)).noteTyping({ conversationId });
    expect((await presence.next()).value).toEqual({ type: "typing", userId: vikram.id, conversationId });
    await Promise.all([presence.return?.(), covering.return?.()]);
  });
});

describe("a cover ends", () => {
  test("when it is taken back, and then the conversation is not there for who covered it", async () => {
    await handOver();
    await takeBack();
    expect((await refusal(read(vikram))).code).toBe("NOT_FOUND");
    expect((await refusal(send(vikram))).code).toBe("NOT_FOUND");
    expect(await shownTo(vikram)).toBeUndefined();
    await expect(send(asha)).resolves.toMatchObject({ seq: 3 });
    expect(await refusal(takeBack())).toMatchObject({ code: "CONFLICT", reason: "not-handed-over" });
    expect(await auditOf(vikram)).toEqual([
      ["conversation.handed-over", asha.id],
      ["conversation.taken-back", asha.id],
    ]);
  });

  test("by itself at its time, at once for everybody, and then is recorded and told", async () => {
    await handOver(asha, vikram, later());
    const inbox = (await (await chatOf(vikram, there)).onInbox())[Symbol.asyncIterator]();
    const own = (await (await chatOf(meera, there)).onInbox())[Symbol.asyncIterator]();
    await letTimePass();
    for (const call of [read, send]) expect((await refusal(call(vikram))).code).toBe("NOT_FOUND");
    expect(await shownTo(vikram)).toBeUndefined();
    expect(await shownTo(meera)).toMatchObject({ cover: null });
    await expect(send(asha)).resolves.toMatchObject({ seq: 3 });
    await endDueCovers(database.db);
    expect((await inbox.next()).value).toEqual({ conversation: null, removedId: conversationId, unreadTotal: 0 });
    expect((await own.next()).value).toMatchObject({ conversation: { id: conversationId, cover: null } });
    expect(await auditOf(vikram)).toContainEqual(["conversation.cover-ended", null]);
    await endDueCovers(database.db);
    expect(await auditOf(vikram)).toHaveLength(2);
    await Promise.all([inbox.return?.(), own.return?.()]);
  });

  test("by itself: open pages of all three learn it though nobody writes or reads", async () => {
    await handOver(asha, vikram, later());
    const inboxes = await Promise.all(
      [asha, meera, vikram].map(async (user) => (await (await chatOf(user, there)).onInbox())[Symbol.asyncIterator]()),
    );
    await letTimePass();
    await endDueCovers(database.db);
    expect(await Promise.all(inboxes.map(async (inbox) => (await inbox.next()).value))).toMatchObject([
      { conversation: { id: conversationId, cover: null }, unreadTotal: 1 },
      { conversation: { id: conversationId, cover: null } },
      { conversation: null, removedId: conversationId },
    ]);
    await Promise.all(inboxes.map((inbox) => inbox.return?.()));
  });

  test.each([
    ["is deactivated", (userId: string) => ({ call: "deactivate" as const, input: { userId } })],
    [
      "becomes a user",
      (userId: string) => ({ call: "setType" as const, input: { userId, accountType: "user" as const } }),
    ],
  ])("when who covers %s", async (_name, decisionOf) => {
    await handOver();
    const { call, input } = decisionOf(vikram.id);
    const { users } = await here.as(kabir);
    if (call === "setType") await users.setType(input);
    else await users.deactivate(input);
    expect(await shownTo(meera)).toMatchObject({ cover: null });
    expect(await auditOf(vikram)).toContainEqual(["conversation.cover-ended", kabir.id]);
    await expect(send(asha)).resolves.toMatchObject({ seq: 3 });
  });

  test("ends the stream of who covered it before they receive anything written after", async () => {
    await handOver();
    const stream = (await (await chatOf(vikram, there)).onMessage({ conversationId, lastEventId: "2" }))[
      Symbol.asyncIterator
    ]();
    await takeBack();
    await send(meera, "For Asha alone");
    const ended = async (): Promise<unknown> => {
      for (;;) {
        const { value } = await stream.next();
        if (!isTrackedEnvelope<ConversationEvent>(value)) throw new Error("the event is not tracked");
        expect(value[1].type).toBe("read");
      }
    };
    expect((await refusal(ended())).code).toBe("NOT_FOUND");
  });

  test("reaches the inboxes of all three in another process", async () => {
    const inboxes = await Promise.all(
      [asha, meera, vikram].map(async (user) => (await (await chatOf(user, there)).onInbox())[Symbol.asyncIterator]()),
    );
    const next = () => Promise.all(inboxes.map(async (inbox) => (await inbox.next()).value));
    await handOver();
    expect(await next()).toMatchObject([
      { conversation: { cover: { person: { id: vikram.id } } } },
      { conversation: { cover: { person: { id: vikram.id } } } },
      { conversation: { coversFor: { id: asha.id } }, unreadTotal: 1 },
    ]);
    await takeBack();
    expect(await next()).toMatchObject([
      { conversation: { cover: null }, unreadTotal: 1 },
      { conversation: { cover: null } },
      { conversation: null, removedId: conversationId },
    ]);
    for (const inbox of inboxes) await inbox.return?.();
  });
});

describe("who may hand over", () => {
  test("its admin, to another active admin, for a time that is to come", async () => {
    for (const toUserId of [asha.id, meera.id, randomUUID()]) {
      const call = (await chatOf(asha)).handOver({ conversationId, toUserId });
      expect((await refusal(call)).code).toBe("BAD_REQUEST");
    }
    expect((await refusal(handOver(asha, vikram, new Date(Date.now() - 1_000)))).code).toBe("BAD_REQUEST");
    expect(await shownTo(meera)).toMatchObject({ cover: null });
  });

  test("any admin once that one is not active; before, the conversation is not there for others", async () => {
    expect((await refusal(handOver(kabir, vikram))).code).toBe("NOT_FOUND");
    await (await here.as(kabir)).users.deactivate({ userId: asha.id });
    const list = await (await chatOf(kabir)).ofInactiveAdmins();
    expect(list.find((one) => one.conversationId === conversationId)).toEqual({
      conversationId,
      owner: expect.objectContaining({ id: asha.id }),
      otherUser: expect.objectContaining({ id: meera.id }),
      cover: null,
    });
    await handOver(kabir, kabir);
    expect((await read(kabir)).items).toHaveLength(2);
    expect(
      (await (await chatOf(vikram)).ofInactiveAdmins()).find((one) => one.conversationId === conversationId),
    ).toMatchObject({ cover: { person: { id: kabir.id } } });
    await takeBack(vikram);
    expect((await refusal(read(kabir))).code).toBe("NOT_FOUND");
  });

  test("any admin once that one is a user: what the client asked is found, covered and answered", async () => {
    await (await here.as(kabir)).users.setType({ userId: asha.id, accountType: "user" });
    const user: UserRow = { ...asha, accountType: "user" };
    expect((await refusal(send(meera))).code).toBe("CONFLICT");
    expect(await (await here.as(kabir)).users.holdings({ userId: asha.id })).toMatchObject({ conversations: 1 });
    expect(await (await chatOf(kabir)).ofInactiveAdmins()).toContainEqual(
      expect.objectContaining({ conversationId, owner: expect.objectContaining({ id: asha.id }), cover: null }),
    );
    await handOver(kabir, vikram);
    expect(await shownTo(vikram)).toMatchObject({ coversFor: { id: asha.id }, unreadCount: 1 });
    await send(meera, "Who answers me?");
    await send(vikram, "I do.");
    expect((await refusal(send(user))).code).toBe("CONFLICT");
    // And again when who covers is gone too.
    await (await here.as(kabir)).users.deactivate({ userId: vikram.id });
    await handOver(kabir, kabir);
    expect((await read(kabir)).items).toHaveLength(4);
  });

  test("of two who hand over at once one does; a second time it has to be taken back first", async () => {
    const calls = await Promise.allSettled([handOver(asha, vikram), handOver(asha, kabir)]);
    expect(calls.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
    expect(await refusal(handOver(asha, kabir))).toMatchObject({ code: "CONFLICT", reason: "handed-over" });
    const events = [...(await auditOf(vikram)), ...(await auditOf(kabir))];
    expect(events.filter(([kind, by]) => kind === "conversation.handed-over" && by === asha.id)).toHaveLength(1);
  });

  test("taking back and the end of its time record one end", async () => {
    await handOver(asha, vikram, later());
    await letTimePass();
    await Promise.allSettled([takeBack(), endDueCovers(database.db), endDueCovers(database.db)]);
    expect(await auditOf(vikram)).toHaveLength(2);
    await handOver(asha, kabir);
    expect(await shownTo(meera)).toMatchObject({ cover: { person: { id: kabir.id } } });
  });

  test("a cover whose time is over gives way to the next one without anybody ending it", async () => {
    await handOver(asha, vikram, later());
    await letTimePass();
    await handOver(asha, kabir);
    expect(await auditOf(vikram)).toContainEqual(["conversation.cover-ended", null]);
    expect(await shownTo(kabir)).toMatchObject({ coversFor: { id: asha.id } });
  });

  test("erasing a cover waits for what they are just sending, which is sent", async () => {
    await handOver();
    let erasing: Promise<unknown> = Promise.resolve();
    await database.sql.begin(async (tx) => {
      await tx`update conversations set last_seq = 3 where id = ${conversationId}`;
      erasing = here.as(asha).then((caller) => caller.users.erasePerson({ userId: vikram.id }));
      erasing.catch(() => {});
      await database.untilWaiting();
      await tx`insert into messages (conversation_id, seq, sender_id, client_message_id, text)
        values (${conversationId}, 3, ${vikram.id}, ${randomUUID()}, 'Hello')`;
    });
    await erasing;
    expect(await shownTo(asha)).toMatchObject({ cover: null });
    expect((await read(meera)).items.at(-1)).toMatchObject({ text: "Hello", senderName: "Unknown User" });
  });

  test("of a send and taking back one is first, and nothing of the cover's comes after", async () => {
    await handOver();
    const [sent] = await Promise.allSettled([send(vikram, "Just in time"), takeBack(), send(asha).catch(() => null)]);
    const { items } = await read(meera);
    const byCover = items.filter(({ senderId }) => senderId === vikram.id);
    expect(byCover).toHaveLength(sent.status === "fulfilled" ? 1 : 0);
    expect(items.map(({ seq }) => seq)).toEqual(items.map((_, at) => at + 1));
  });
});
