import { randomUUID } from "node:crypto";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { createDb } from "../../db/client";
import { inquiries, mailJobs } from "../../db/schema";
import type { Submission } from "../contract/inquiries";
import { MESSAGES } from "../contract/messages";
import { createLogger } from "../core/logger";
import { createLimits } from "../core/rate-limit";
import { createMailTransport } from "../mail/client";
import { claimNextMail } from "../mail/jobs";
import { queueMail } from "../mail/mutations";
import { createTestCallers, refusal } from "../test/caller";
import { createTestDatabase, type TestDatabase } from "../test/db";
import { createInquiryMails } from "./mails";

const FIRM = "hello@sangam.example";
const publicUrl = "https://sangam.example";

let database: TestDatabase;
const dataDir = mkdtempSync(join(tmpdir(), "sangam-inquiry-test-"));

beforeAll(async () => {
  database = await createTestDatabase();
});
beforeEach(() => database.sql`truncate inquiries, mail_jobs, rate_limits cascade`);
afterAll(async () => {
  await database.close();
  rmSync(dataDir, { recursive: true, force: true });
});

const contact = {
  kind: "contact",
  name: "Leela Nair",
  email: "leela@harbour.example",
  company: "Harbour Exports",
  subject: "project",
  message: "We need a booking portal.\nBy March, if that can be done.",
} satisfies Submission;
const application = {
  kind: "application",
  name: "Farhan Ali",
  email: "farhan@college.example",
  phone: "+91 98200 12345",
  programme: "paid-internship",
} satisfies Submission;

const visitor = (options: Parameters<typeof createTestCallers>[1] = { contactEmail: FIRM }) =>
  createTestCallers(database.db, options).anonymous;
const stored = () => database.db.select().from(inquiries);
const queued = () => database.db.select().from(mailJobs);

/** The mail that waits, as it would go out. */
async function takeMail() {
  const job = await claimNextMail(database.db);
  const mail = job && (await createInquiryMails({ db: database.db, publicUrl })(job));
  if (!mail) throw new Error("there is a mail to write");
  return mail;
}

describe("what a visitor sends", () => {
  test("is stored as new, with a mail to the firm queued, and answered with nothing but ok", async () => {
    expect(await visitor().inquiries.submit(contact)).toEqual({ ok: true });
    expect(await stored()).toMatchObject([{ ...contact, status: "new", decidedAt: null, phone: null }]);
    expect(await queued()).toMatchObject([{ recipient: FIRM, template: "inquiry-received" }]);
  });

  test("may be an application without a note", async () => {
    await visitor().inquiries.submit({ ...application, note: "" });
    expect(await stored()).toMatchObject([{ ...application, message: "", subject: null, company: null }]);
  });

  test("may have nothing but blanks where nothing is asked for", async () => {
    await visitor().inquiries.submit({ ...contact, company: "   " });
    await visitor().inquiries.submit({ ...application, note: "\n \n" });
    expect(await stored()).toMatchObject([{ company: null }, { message: "" }]);
  });

  test("queues no mail when the firm wants none", async () => {
    await visitor({}).inquiries.submit(contact);
    expect(await stored()).toHaveLength(1);
    expect(await queued()).toEqual([]);
  });

  test("is answered alike and kept nowhere when the hidden field is filled", async () => {
    const answer = await visitor().inquiries.submit({ ...contact, website: "https://cheap.example" });
    expect(answer).toEqual({ ok: true });
    expect([...(await stored()), ...(await queued())]).toEqual([]);
    await visitor().inquiries.submit({ ...contact, website: "" });
    expect(await stored()).toHaveLength(1);
  });

  test("is taken ten times an hour of one address, the hidden field filled or not", async () => {
    const limits = createLimits({ sql: database.sql, multiplier: 1 });
    const hasty = visitor({ limits });
    for (let round = 0; round < 10; round += 1)
      await hasty.inquiries.submit(round % 2 ? contact : { ...application, website: "x" });
    const refused = await refusal(hasty.inquiries.submit(contact));
    expect(refused).toMatchObject({
      code: "TOO_MANY_REQUESTS",
      message: `${MESSAGES.general.tooMany} Try again in about an hour.`,
    });
    expect(await stored()).toHaveLength(5);
  });

  test("is one inquiry with one mail for each key, however often it is sent, also at once and by two servers", async () => {
    const other = createDb(database.connection);
    const visitors = [visitor(), createTestCallers(other.db, { contactEmail: FIRM }).anonymous];
    const keyed = { ...contact, inquiryKey: randomUUID() };
    const tries = visitors.flatMap(({ inquiries: { submit } }) => [submit(keyed), submit(keyed), submit(keyed)]);
    expect(await Promise.all(tries)).toEqual(Array(6).fill({ ok: true }));
    expect(await visitor().inquiries.submit(keyed)).toEqual({ ok: true });
    expect(await stored()).toHaveLength(1);
    expect(await queued()).toHaveLength(1);

    // Another key, or none, is another inquiry even with the same content.
    await visitor().inquiries.submit({ ...contact, inquiryKey: randomUUID() });
    await visitor().inquiries.submit(contact);
    await visitor().inquiries.submit({ ...application, inquiryKey: randomUUID() });
    expect(await stored()).toHaveLength(4);
    await other.close();
  });

  test("with other content under the same key is rejected and changes nothing", async () => {
    const inquiryKey = randomUUID();
    await visitor().inquiries.submit({ ...contact, inquiryKey });
    for (const other of [
      { ...contact, message: "Other content.", inquiryKey },
      { ...application, inquiryKey },
    ]) {
      const refused = await refusal(visitor().inquiries.submit(other));
      expect(refused).toEqual({ code: "CONFLICT", message: MESSAGES.inquiries.keyTaken, reason: "key-taken" });
    }
    expect(await stored()).toMatchObject([contact]);
    expect(await queued()).toHaveLength(1);
  });

  test.each([
    ["no message", { ...contact, message: " \n " }, "message"],
    ["a message that is too long", { ...contact, message: "x".repeat(5001) }, "message"],
    ["a NUL", { ...contact, message: "a\u0000b" }, "message"],
    ["half an emoji", { ...contact, name: "a\ud83d" }, "name"],
    ["two addresses", { ...contact, email: "a@firm.example, b@firm.example" }, "email"],
    ["a line break in the address", { ...contact, email: "a@firm.example\r\nBcc: b@firm.example" }, "email"],
    ["an unknown subject", { ...contact, subject: "lottery" }, "subject"],
    ["a company that is no text", { ...contact, company: 5 }, "company"],
    ["an application's field", { ...contact, phone: "123456789" }, "phone"],
    ["no programme", { ...application, programme: undefined }, "programme"],
    ["an unknown kind", { ...contact, kind: "spam" }, "kind"],
    ["a key that is no UUID", { ...contact, inquiryKey: "once" }, "inquiryKey"],
    ["a status of its own", { ...contact, status: "closed" }, "status"],
  ])("is rejected with an error at the field when it has %s", async (_what, input, field) => {
    const call = Reflect.apply(visitor().inquiries.submit, null, [input]) as Promise<unknown>;
    const refused = await refusal(call);
    expect(refused.code).toBe("BAD_REQUEST");
    expect(Object.keys(refused.fieldErrors ?? {})).toEqual([field]);
    expect(await stored()).toEqual([]);
  });
});

describe("the mail about an inquiry", () => {
  test("says all of it, and its answer goes to the visitor", async () => {
    await visitor().inquiries.submit(contact);
    const mail = await takeMail();
    expect(mail.to).toBe(FIRM);
    expect(mail.replyTo).toEqual({ name: "Leela Nair", address: "leela@harbour.example" });
    expect(mail.subject).toBe("New inquiry from Leela Nair");
    for (const text of ["Subject: Project", "Company: Harbour Exports", contact.message, "/admin/inquiries"])
      expect(mail.text).toContain(text);
    await visitor().inquiries.submit({ ...application, note: "<b>Hello</b>" });
    const other = await takeMail();
    expect(other.subject).toBe("New application from Farhan Ali");
    expect(other.text).toContain("Programme: Paid internship");
    expect(other.html).toContain("&lt;b&gt;Hello&lt;/b&gt;");
  });

  test("has the headers that we wrote, whatever people call themselves", async () => {
    const name = 'Eve"\r\nBcc: victim@firm.example\r\n\r\n<x@y.example>, "B';
    const company = "A\r\nBcc: other@firm.example";
    await expect(visitor().inquiries.submit({ ...contact, name, company })).rejects.toThrow();
    // A row from before such names were refused.
    await visitor().inquiries.submit(contact);
    await database.sql`update inquiries set name = ${name}, company = ${company}`;
    const logger = createLogger({ level: "silent" });
    await createMailTransport({ smtpUrl: null, mailFrom: FIRM, dataDir, logger })(await takeMail());
    const [file = ""] = readdirSync(join(dataDir, "outbox"));
    const [headers = ""] = readFileSync(join(dataDir, "outbox", file), "utf8").split("\r\n\r\n");
    const names = headers.split(/\r\n(?![ \t])/).map((line) => line.split(":")[0]?.toLowerCase());
    expect(names.toSorted()).toEqual(
      ["content-type", "date", "from", "message-id", "mime-version", "reply-to", "subject", "to"].toSorted(),
    );
    const replyTo = /^reply-to: (.*(?:\r\n[ \t].*)*)/im.exec(headers)?.[1] ?? "";
    expect(replyTo.match(/<[^>]*>/g)?.at(-1)).toBe("<leela@harbour.example>");
  });

  test("goes nowhere when the inquiry is gone, and lets mails about accounts go first", async () => {
    await visitor().inquiries.submit(contact);
    await queueMail(database.db, { template: "account-rejected", recipient: "someone" });
    const [account, about] = [await claimNextMail(database.db), await claimNextMail(database.db)];
    expect([account?.template, about?.template]).toEqual(["account-rejected", "inquiry-received"]);
    if (!about) throw new Error("there is a mail about the inquiry");
    await database.sql`delete from inquiries`;
    expect(await createInquiryMails({ db: database.db, publicUrl })(about)).toBeNull();
  });
});
