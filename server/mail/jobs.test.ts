import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { SMTPServer } from "smtp-server";
import { afterAll, beforeAll, expect, test } from "vitest";
import { makeUser } from "../../db/factories";
import { mailJobs } from "../../db/schema";
import { createAccountMails } from "../auth/mails";
import { createLogger } from "../core/logger";
import { startJobs } from "../jobs/runner";
import { createHub } from "../realtime/hub";
import { createTestDatabase, type TestDatabase } from "../test/db";
import { createMailTransport, type MailTransport } from "./client";
import { claimNextMail, type MailComposer, mailKind } from "./jobs";
import { queueMail } from "./mutations";
import { findMailOutcomes, findMailQueue } from "./queries";
import { composeMail, MAIL_TEMPLATES } from "./templates";

const publicUrl = "https://sangam.example";
const lines: string[] = [];
const logger = createLogger({ level: "debug", write: (line) => lines.push(line) });

let database: TestDatabase;
const dataDir = mkdtempSync(join(tmpdir(), "sangam-mail-test-"));

const startMailJobs = ({ compose, transport }: { compose: MailComposer; transport: MailTransport }) =>
  startJobs([mailKind(database.db, { compose, transport })], { feed: createHub(), logger });

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
  const compose = createAccountMails({ db: database.db, publicUrl });
  // Two processes: the row's lock lets one of them send it.
  const workers = [1, 2].map(() => startMailJobs({ compose, transport }));
  while ((await database.db.select().from(mailJobs)).length > 0)
    await new Promise((resolve) => setTimeout(resolve, 20));
  await Promise.all(workers.map((worker) => worker.close()));
  await new Promise<void>((resolve) => smtp.close(resolve));
  expect(received).toHaveLength(1);
  expect(received[0]?.to).toEqual(["lata@sangam.example"]);
  expect(received[0]?.raw).toContain("Content-Type: multipart/alternative");
  expect(received[0]?.raw).toContain("From: Sangam <hello@sangam.example>");
  expect(received[0]?.raw).toMatch(/Hello Lata <Kale>,/);
  // Long lines are broken for the way.
  expect(received[0]?.raw.replaceAll("=\r\n", "")).toMatch(/Lata &lt;Kale&gt;/);
});

test("without a mail server it becomes an .eml file that only the owner may read, and the log has its path, not its content", async () => {
  lines.length = 0;
  const user = await makeUser(database.db, { email: "outbox@sangam.example" });
  const transport = createMailTransport({ smtpUrl: null, mailFrom: "hello@sangam.example", dataDir, logger });
  const mail = await createAccountMails({ db: database.db, publicUrl })({
    id: 1,
    template: "password-reset",
    recipient: user.email,
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
  const tried: string[] = [];
  const worker = startMailJobs({
    compose: async ({ recipient }) => ({ to: recipient, subject: "s", text: "t", html: "h" }),
    async transport({ to }) {
      tried.push(to);
      if (to === "first") throw new Error("the mail server is away");
    },
  });
  while (tried.length < 2) await new Promise((resolve) => setTimeout(resolve, 10));
  await worker.close();
  expect(tried).toEqual(["first", "second"]);
  const rows =
    await database.sql`select recipient, attempts, due_at between now() + interval '5 seconds' and now() + interval '11 seconds' as soon from mail_jobs`;
  expect([...rows]).toEqual([{ recipient: "first", attempts: 1, soon: true }]);
  await database.sql`delete from mail_jobs`;
});

test("a mail is counted once, when it went out or was given up; one for nobody is not, one that is tried again waits", async () => {
  const { sql } = database;
  await sql`truncate mail_days, mail_jobs`;
  const kind = mailKind(database.db, {
    compose: async ({ recipient }) =>
      recipient === "nobody" ? null : { to: recipient, subject: "s", text: "t", html: "h" },
    async transport({ to }) {
      if (to === "away") throw new Error("the mail server is away");
    },
  });
  /** One attempt, as the runner makes it. */
  const attempt = async () => {
    const job = await kind.claim();
    if (!job) throw new Error("no mail is due");
    await kind.run(job, new AbortController().signal).catch(() => kind.retryLater(job));
  };
  const counts = async () => ({ ...(await findMailOutcomes(database.db)), ...(await findMailQueue(database.db)) });
  const none = { sent: 0, givenUp: 0, queued: 0, retrying: 0, oldestAt: null };
  await queueMail(database.db, { template: "account-rejected", recipient: "nobody" });
  await attempt();
  expect(await counts()).toEqual(none);
  await queueMail(database.db, { template: "account-rejected", recipient: "present" });
  expect(await counts()).toMatchObject({ sent: 0, queued: 1, retrying: 0 });
  await attempt();
  expect(await counts()).toEqual({ ...none, sent: 1 });
  await queueMail(database.db, { template: "account-rejected", recipient: "away" });
  await attempt();
  expect(await counts()).toMatchObject({ sent: 1, givenUp: 0, queued: 1, retrying: 1 });
  // The 55th of 56 attempts, then the last.
  await sql`update mail_jobs set attempts = 54, due_at = now()`;
  await attempt();
  expect(await counts()).toMatchObject({ sent: 1, givenUp: 0, queued: 1, retrying: 1 });
  await sql`update mail_jobs set due_at = now()`;
  await attempt();
  expect(await counts()).toEqual({ ...none, sent: 1, givenUp: 1 });
});

test("a claimed mail is nobody else's, and a crash in between only puts it off", async () => {
  await queueMail(database.db, { template: "account-rejected", recipient: "crashed" });
  const claims = await Promise.all([1, 2, 3, 4].map(() => claimNextMail(database.db)));
  expect(claims.filter((claim) => claim !== null)).toHaveLength(1);
  await database.sql`update mail_jobs set due_at = now() - interval '1 second', leased_until = now() - interval '1 second'`;
  expect(await claimNextMail(database.db)).toMatchObject({ recipient: "crashed", attempts: 2 });
  await database.sql`delete from mail_jobs`;
});

test("a claim takes one mail, whatever the database believes of the size of the queue", async () => {
  const own = await createTestDatabase();
  await queueMail(own.db, { template: "account-rejected", recipient: "only" });
  // With one row in its books it would rather look for the next mail again, for every row, than remember it.
  await own.sql`vacuum analyze mail_jobs`;
  for (let at = 0; at < 9; at += 1) await queueMail(own.db, { template: "account-rejected", recipient: `r${at}` });
  expect(await claimNextMail(own.db)).toMatchObject({ recipient: "only", attempts: 1 });
  const claimed = await own.sql`select recipient from mail_jobs where attempts > 0`;
  expect([...claimed]).toEqual([{ recipient: "only" }]);
  await own.close();
});

test("closing waits for the mail that is on its way, and starts no other", async () => {
  for (let at = 0; at < 20; at += 1)
    await queueMail(database.db, { template: "account-rejected", recipient: `r${at}` });
  let sent = 0;
  const worker = startMailJobs({
    compose: async ({ recipient }) => ({ to: recipient, subject: "s", text: "t", html: "h" }),
    async transport() {
      await new Promise((resolve) => setTimeout(resolve, 50));
      sent += 1;
    },
  });
  while (sent === 0) await new Promise((resolve) => setTimeout(resolve, 5));
  await worker.close();
  expect(sent).toBeLessThanOrEqual(3);
  await database.sql`delete from mail_jobs`;
});

test("every template says the same in text and in HTML, and links only to this server", async () => {
  const user = await makeUser(database.db, { name: "Lata Kale", accountStatus: "pending" });
  const compose = createAccountMails({ db: database.db, publicUrl });
  for (const template of MAIL_TEMPLATES) {
    const mail = await compose({ id: 1, template, recipient: user.id, attempts: 0 });
    expect(mail?.text).toContain("Lata Kale");
    for (const [link] of mail?.text.matchAll(/https?:\/\/[^\s/]+/g) ?? []) expect(link).toBe(publicUrl);
    for (const paragraph of mail?.text.split("\n\n").slice(0, 2) ?? []) {
      expect(mail?.html.replace(/&#39;/g, "'")).toContain(paragraph.trim());
    }
  }
  expect(composeMail({ subject: "Hello", greeting: "Hello <script>,", paragraphs: ["<script>"] }).html).not.toContain(
    "<script>",
  );
});
