import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { SMTPServer } from "smtp-server";
import { afterAll, beforeAll, expect, test } from "vitest";
import { makeUser } from "../../db/factories";
import { mailJobs } from "../../db/schema";
import { createAccountMails } from "../auth/mails";
import { createLogger } from "../core/logger";
import { createHub } from "../realtime/hub";
import { createTestDatabase, type TestDatabase } from "../test/db";
import { createMailTransport } from "./client";
import { queueMail, sendNextMail } from "./queries";
import { accountApprovedMail, MAIL_TEMPLATES } from "./templates";
import { startMailWorker } from "./worker";

const publicUrl = "https://sangam.example";
const lines: string[] = [];
const logger = createLogger({ level: "debug", write: (line) => lines.push(line) });

let database: TestDatabase;
const dataDir = mkdtempSync(join(tmpdir(), "sangam-mail-test-"));

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(async () => {
  await database.close();
  rmSync(dataDir, { recursive: true, force: true });
});

test("a queued mail goes out over SMTP, as text and HTML, to its person and once", async () => {
  const received: { to: string[]; raw: string }[] = [];
  const smtp = new SMTPServer({
    authOptional: true,
    disabledCommands: ["STARTTLS"],
    onData(stream, session, done) {
      const chunks: Buffer[] = [];
      stream.on("data", (chunk: Buffer) => chunks.push(chunk));
      stream.on("end", () => {
        received.push({
          to: session.envelope.rcptTo.map(({ address }) => address),
          raw: Buffer.concat(chunks).toString(),
        });
        done();
      });
    },
  });
  await new Promise<void>((resolve) => smtp.listen(0, "127.0.0.1", resolve));
  const address = smtp.server.address();
  const port = typeof address === "object" && address ? address.port : 0;
  const transport = createMailTransport({
    smtpUrl: `smtp://127.0.0.1:${port}`,
    mailFrom: "Sangam <hello@sangam.example>",
    dataDir,
    logger,
  });
  const user = await makeUser(database.db, { name: "Lata <Kale>", email: "lata@sangam.example" });
  await queueMail(database.db, { template: "account-approved", recipient: user.id });
  const hub = createHub();
  const compose = createAccountMails({ db: database.db, publicUrl });
  // Two processes: the row's lock lets one of them send it.
  const workers = [1, 2].map(() => startMailWorker({ db: database.db, feed: hub, logger, compose, transport }));
  while ((await database.db.select().from(mailJobs)).length > 0)
    await new Promise((resolve) => setTimeout(resolve, 20));
  await Promise.all(workers.map((worker) => worker.close()));
  await new Promise<void>((resolve) => smtp.close(resolve));
  expect(received).toHaveLength(1);
  expect(received[0]?.to).toEqual(["lata@sangam.example"]);
  expect(received[0]?.raw).toContain("Content-Type: multipart/alternative");
  expect(received[0]?.raw).toContain("From: Sangam <hello@sangam.example>");
  expect(received[0]?.raw).toMatch(/Hello Lata <Kale>,/);
  expect(received[0]?.raw).toMatch(/Lata &lt;Kale&gt;/);
});

test("without a mail server it becomes an .eml file that only the owner may read, and the log has its path, not its words", async () => {
  lines.length = 0;
  const user = await makeUser(database.db, { email: "outbox@sangam.example" });
  const transport = createMailTransport({ smtpUrl: null, mailFrom: "hello@sangam.example", dataDir, logger });
  const mail = await createAccountMails({ db: database.db, publicUrl })({
    id: 1,
    template: "password-reset",
    recipient: user.email,
    data: {},
    attempts: 0,
  });
  if (!mail) throw new Error("there is a mail to write");
  await transport(mail);
  const [file = ""] = readdirSync(join(dataDir, "outbox"));
  expect(file).toMatch(/\.eml$/);
  const path = join(dataDir, "outbox", file);
  expect(statSync(path).mode & 0o077).toBe(0);
  expect(readFileSync(path, "utf8")).toContain("outbox@sangam.example");
  const token = /token=(\S+)/.exec(mail.text)?.[1] ?? "none";
  expect(lines.join("")).toContain(file);
  expect(lines.join("")).not.toContain(token);
});

test("a mail that cannot be sent is kept, put off longer each time, and leaves the others alone", async () => {
  await queueMail(database.db, { template: "account-rejected", recipient: "first" });
  await queueMail(database.db, { template: "account-rejected", recipient: "second" });
  const sent: string[] = [];
  const send = async ({ recipient }: { recipient: string }) => {
    if (recipient === "first") throw new Error("the mail server is away");
    sent.push(recipient);
  };
  expect(await sendNextMail(database.db, send)).toMatchObject({ job: { recipient: "first", attempts: 0 } });
  expect(await sendNextMail(database.db, send)).toBe("sent");
  expect(await sendNextMail(database.db, send)).toBe("none");
  expect(sent).toEqual(["second"]);
  const [kept] = await database.sql`select attempts, due_at > now() + interval '5 seconds' as later from mail_jobs`;
  expect(kept).toMatchObject({ attempts: 1, later: true });
});

test("every template says the same in text and in HTML, and links only to this server", async () => {
  const user = await makeUser(database.db, { name: "Lata Kale" });
  const compose = createAccountMails({ db: database.db, publicUrl });
  for (const template of MAIL_TEMPLATES) {
    const mail = await compose({ id: 1, template, recipient: user.id, data: {}, attempts: 0 });
    expect(mail?.text).toContain("Lata Kale");
    for (const [link] of mail?.text.matchAll(/https?:\/\/[^\s/]+/g) ?? []) expect(link).toBe(publicUrl);
    for (const words of mail?.text.split("\n\n").slice(0, 2) ?? []) {
      expect(mail?.html.replace(/&#39;/g, "'")).toContain(words.trim());
    }
  }
  expect(accountApprovedMail({ name: "<script>", loginUrl: "x" }).html).not.toContain("<script>");
});
