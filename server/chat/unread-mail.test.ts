import { randomUUID } from "node:crypto";
import { eq } from "drizzle-orm";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { DEMO_PEOPLE } from "../../db/demo-people";
import { makeConversation, makeUser, type UserRow } from "../../db/factories";
import { conversations, mailJobs, messages, users } from "../../db/schema";
import { seedDemo } from "../../db/seed";
import { createLogger } from "../core/logger";
import { startJobs } from "../jobs/runner";
import { claimNextMail, mailKind } from "../mail/jobs";
import { queueMail } from "../mail/mutations";
import type { MailContent } from "../mail/templates";
import { cheapHash, createTestCallers, type TestCallers } from "../test/caller";
import { createTestDatabase, type TestDatabase } from "../test/db";
import { createUnreadMails, mailUnread, unreadMailKind } from "./unread-mail";

const publicUrl = "https://sangam.example";
const logger = createLogger({ level: "silent" });
const DAY = 24 * 60;

let database: TestDatabase;
let callers: TestCallers;
let asha: UserRow;
let meera: UserRow;

beforeAll(async () => {
  database = await createTestDatabase();
  callers = createTestCallers(database.db);
});
beforeEach(async () => {
  await database.sql`truncate mail_jobs, files, messages, conversations cascade`;
  asha = await makeUser(database.db, { name: "Asha Menon", accountType: "admin" });
  meera = await makeUser(database.db, { name: "Meera Rao", accountType: "client" });
});
afterAll(async () => {
  await callers.presence.close();
  await database.close();
});

const at = (minutesAgo: number) => new Date(Date.now() - minutesAgo * 60_000);

/** A conversation of Asha and Meera; each message by whom, and how many minutes ago. */
async function conversation(...written: [UserRow, number][]): Promise<string> {
  const rows = written.map(([{ id }, minutesAgo]) => ({
    senderId: id,
    text: "Secret text",
    createdAt: at(minutesAgo),
  }));
  return (await makeConversation(database.db, { between: [asha.id, meera.id], messages: rows })).id;
}

/** Another message, 16 minutes ago. */
async function write(by: UserRow, conversationId: string): Promise<void> {
  const { chat } = await callers.as(by);
  const { id } = await chat.send({ conversationId, text: "More secret text", clientMessageId: randomUUID() });
  await database.db
    .update(messages)
    .set({ createdAt: at(16) })
    .where(eq(messages.id, id));
}

const read = async (by: UserRow, conversationId: string, upToSeq: number) =>
  (await callers.as(by)).chat.markRead({ conversationId, upToSeq });

/** Whom a sweep queues mails for. */
async function sweep(presentIds: string[] = []): Promise<string[]> {
  await mailUnread(database.db, { presentIds });
  return takeQueued();
}

async function takeQueued(): Promise<string[]> {
  const queued = await database.db.delete(mailJobs).returning({ recipient: mailJobs.recipient });
  return queued.map(({ recipient }) => recipient).toSorted();
}

const compose = (conversationId: string, recipient: UserRow) =>
  createUnreadMails({ db: database.db, publicUrl })({
    id: 1,
    template: "unread-messages",
    recipient: recipient.id,
    conversationId,
    inquiryId: null,
    attempts: 1,
  });

describe("a message that stays unread", () => {
  test("is mailed about after 15 minutes, to whom it waits for, and not earlier", async () => {
    const conversationId = await conversation([asha, 14]);
    expect(await sweep()).toEqual([]);
    await database.db
      .update(messages)
      .set({ createdAt: at(15) })
      .where(eq(messages.conversationId, conversationId));
    expect(await sweep()).toEqual([meera.id]);
  });

  test("is mailed about once until it is read, whatever comes after it, and what comes after that again", async () => {
    const conversationId = await conversation([asha, 40]);
    expect(await sweep()).toEqual([meera.id]);
    await write(asha, conversationId);
    expect(await sweep()).toEqual([]);
    await read(meera, conversationId, 2);
    expect(await sweep()).toEqual([]);
    await write(asha, conversationId);
    expect(await sweep()).toEqual([meera.id]);
    expect(await sweep()).toEqual([]);
  });

  test("is mailed about to either of the two, each by what they have not read", async () => {
    const conversationId = await conversation([asha, 40], [meera, 30]);
    expect(await sweep()).toEqual([asha.id, meera.id].toSorted());
    await read(meera, conversationId, 1);
    // Nobody reads their own last message; it must not stand in the way of the next mail.
    await write(asha, conversationId);
    expect(await sweep()).toEqual([meera.id]);
  });

  test("is mailed about although the mark of the last mail stands at a message of its reader's own", async () => {
    const conversationId = await conversation([asha, 60], [meera, 50]);
    await read(meera, conversationId, 1);
    // As every conversation was marked when these mails began.
    await database.sql`update conversations set lower_mailed_seq = last_seq, higher_mailed_seq = last_seq`;
    await write(asha, conversationId);
    expect(await sweep()).toEqual([meera.id]);
  });

  test("is mailed about once when several processes look at the same moment", async () => {
    const made = await Promise.all(
      Array.from({ length: 20 }, async () => {
        const client = await makeUser(database.db, { accountType: "client" });
        const written = [
          { senderId: asha.id, createdAt: at(30) },
          { senderId: client.id, createdAt: at(20) },
        ];
        return makeConversation(database.db, { between: [asha.id, client.id], messages: written });
      }),
    );
    await Promise.all([1, 2, 3, 4].map(() => mailUnread(database.db, { presentIds: [] })));
    expect(await takeQueued()).toHaveLength(2 * made.length);
    expect(await sweep()).toEqual([]);
  });

  test("is not mailed about while its reader looks at some page, and is once they are away", async () => {
    await conversation([asha, 40]);
    const presenceHandle = callers.presence.arrive(meera.id);
    expect(await sweep(callers.presence.presentIds())).toEqual([]);
    presenceHandle.revoke();
    expect(await sweep(callers.presence.presentIds())).toEqual([meera.id]);
  });

  test("is not mailed about to who does not want it, has no active account any more, or after two days", async () => {
    const conversationId = await conversation([asha, 40]);
    const admin = await callers.as(asha);
    const self = await callers.as(meera);
    await self.users.updateProfile({ unreadMail: false });
    expect(await sweep()).toEqual([]);
    await self.users.updateProfile({ unreadMail: true });
    await admin.users.deactivate({ userId: meera.id });
    expect(await sweep()).toEqual([]);
    await admin.users.reactivate({ userId: meera.id });
    await takeQueued();
    await database.db
      .update(messages)
      .set({ createdAt: at(2 * DAY + 1) })
      .where(eq(messages.conversationId, conversationId));
    expect(await sweep()).toEqual([]);
    await write(asha, conversationId);
    await admin.users.erasePerson({ userId: meera.id });
    expect(await sweep()).toEqual([]);
  });

  test("is left alone by a sweep while someone writes or reads there, and found by the next", async () => {
    const conversationId = await conversation([asha, 40]);
    await database.db.transaction(async (tx) => {
      await tx.update(conversations).set({ lastSeq: 1 }).where(eq(conversations.id, conversationId));
      expect(await sweep()).toEqual([]);
    });
    expect(await sweep()).toEqual([meera.id]);
  });

  test("of the demo is not mailed about when the product starts", async () => {
    const own = await createTestDatabase();
    await seedDemo({
      db: own.db,
      hashPassword: async (password) => cheapHash(password),
      storeContents: async () => {},
    });
    await mailUnread(own.db, { presentIds: [] });
    expect(await own.sql`select 1 from mail_jobs`).toEqual([]);
    expect(await own.sql`select count(*)::int as people from users`).toEqual([{ people: DEMO_PEOPLE.length }]);
    await own.close();
  });
});

describe("the mail", () => {
  test("says who wrote and how many messages wait, leads to the conversation, and has none of its text", async () => {
    const conversationId = await conversation([asha, 40], [asha, 30], [meera, 20]);
    await sweep();
    const mail = await compose(conversationId, meera);
    expect(mail?.to).toBe(meera.email);
    expect(mail?.subject).toBe("Asha Menon wrote to you on Sangam");
    for (const body of [mail?.text, mail?.html.replaceAll("&amp;", "&")]) {
      expect(body).toContain("2 unread messages from Asha Menon");
      expect(body).toContain(`${publicUrl}/client/messages/${conversationId}`);
      expect(body).toContain(`${publicUrl}/client/settings`);
      expect(body).not.toMatch(/secret/i);
    }
    const other = await compose(conversationId, asha);
    expect(other?.text).toContain("You have an unread message from Meera Rao.");
    expect(other?.text).toContain(`${publicUrl}/admin/messages/${conversationId}`);
    await database.db.update(users).set({ accountType: "user" }).where(eq(users.id, meera.id));
    expect((await compose(conversationId, meera))?.text).toContain(`${publicUrl}/dashboard/messages/${conversationId}`);
  });

  test("takes names for text: they end no header and open no element", async () => {
    const conversationId = await conversation([asha, 40]);
    await sweep();
    const displayName = "<b>Asha</b>\r\nBcc: all@sangam.example";
    await database.db.update(users).set({ displayName }).where(eq(users.id, asha.id));
    const mail = await compose(conversationId, meera);
    expect(mail?.subject).toBe("<b>Asha</b> Bcc: all@sangam.example wrote to you on Sangam");
    expect(mail?.html).not.toContain("<b>");
    expect(mail?.html).toContain("&lt;b&gt;Asha&lt;/b&gt;");
  });

  test.each([
    ["everything has been read", (conversationId: string) => read(meera, conversationId, 1)],
    ["it was switched off", async () => (await callers.as(meera)).users.updateProfile({ unreadMail: false })],
    ["the account was deactivated", async () => (await callers.as(asha)).users.deactivate({ userId: meera.id })],
    ["the person was erased", async () => (await callers.as(asha)).users.erasePerson({ userId: meera.id })],
  ])("is not written when %s before it is sent", async (_name, happen) => {
    const conversationId = await conversation([asha, 40]);
    expect(await sweep()).toEqual([meera.id]);
    await happen(conversationId);
    expect(await compose(conversationId, meera)).toBeNull();
  });

  test("that was put off until what it is about was read says nothing of what came after that", async () => {
    const conversationId = await conversation([asha, 40]);
    await sweep();
    await read(meera, conversationId, 1);
    await (await callers.as(asha)).chat.send({ conversationId, text: "Just now", clientMessageId: randomUUID() });
    expect(await compose(conversationId, meera)).toBeNull();
  });

  test("that still waits when the next one is due makes way for it", async () => {
    const conversationId = await conversation([asha, 40], [meera, 40]);
    await mailUnread(database.db, { presentIds: [] });
    await read(meera, conversationId, 1);
    await write(asha, conversationId);
    await mailUnread(database.db, { presentIds: [] });
    expect(await takeQueued()).toEqual([asha.id, meera.id].toSorted());
  });

  test("lets mails about accounts go first", async () => {
    await conversation([asha, 40]);
    await mailUnread(database.db, { presentIds: [] });
    await queueMail(database.db, { template: "password-reset", recipient: asha.id });
    expect(await claimNextMail(database.db)).toMatchObject({ template: "password-reset" });
    expect(await claimNextMail(database.db)).toMatchObject({ template: "unread-messages", recipient: meera.id });
  });

  test("is written to nobody who takes no part", async () => {
    const conversationId = await conversation([asha, 40]);
    await sweep();
    expect(await compose(conversationId, await makeUser(database.db, { accountType: "admin" }))).toBeNull();
    expect(await compose(randomUUID(), meera)).toBeNull();
  });

  test("goes out once by itself, from two processes, when someone who was there has left", async () => {
    await conversation([asha, 40]);
    const { db } = database;
    const sent: (MailContent & { to: string })[] = [];
    const presenceHandle = callers.presence.arrive(meera.id);
    const transport = async (mail: MailContent & { to: string }) => void sent.push(mail);
    const processes = [1, 2].map(() =>
      startJobs(
        [
          unreadMailKind(db, { presence: callers.presence, everySeconds: 0.01 }),
          mailKind(db, { compose: createUnreadMails({ db, publicUrl }), transport }),
        ],
        { feed: callers.hub, logger },
      ),
    );
    presenceHandle.revoke();
    while (sent.length === 0) {
      callers.hub.resyncAll();
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
    await Promise.all(processes.map((one) => one.close()));
    expect(sent.map(({ to }) => to)).toEqual([meera.email]);
    expect(await sweep()).toEqual([]);
  });
});
