import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createServer } from "node:tls";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { makeSession, makeUser } from "../../../db/factories";
import { backups, jobKinds } from "../../../db/schema";
import { type EnvSource, parseEnv } from "../../core/env";
import type { Secrets } from "../../core/secrets";
import { createVault, SecretToken } from "../../core/vault";
import { setToken } from "../../github/token";
import { readSecrets, startFailure, unreachable } from "../../start-up";
import { noteSecrets } from "../../system/mutations";
import { describeDatabase } from "../../system/warnings";
import { startTestBus } from "../../test/bus";
import { CERTIFICATE } from "../../test/certificate";
import { createTestDatabase, type TestDatabase } from "../../test/db";
import { type GitHubServer, startGitHubServer } from "../../test/github-server";
import { type DoctorOptions, runDoctorCommand } from "./command";
import { examineDisks } from "./machine";

const [PRESENT, FORMER] = ["p".repeat(32), "f".repeat(32)];
const SECRETS: Secrets = {
  betterAuthSecret: PRESENT,
  oldBetterAuthSecrets: [],
  tokenEncryptionKey: PRESENT,
  oldTokenEncryptionKeys: [],
};

let database: TestDatabase;
let github: GitHubServer;
let dataDir: string;

beforeAll(async () => {
  [database, github] = await Promise.all([createTestDatabase(), startGitHubServer()]);
  dataDir = mkdtempSync(join(tmpdir(), "sangam-doctor-"));
});
beforeEach(() => database.sql`truncate repository_tokens, job_kinds, backups, sessions cascade`);
afterAll(async () => {
  await Promise.all([database.close(), github.close()]);
  rmSync(dataDir, { recursive: true });
});

/** What the doctor prints, less the disks of this machine; `ok` is its verdict. */
async function examine({
  env = {},
  secrets = {},
  args = [],
  ...given
}: { env?: EnvSource; secrets?: Partial<Secrets>; args?: string[] } & Partial<DoctorOptions> = {}) {
  const lines: string[] = [];
  const required = { DATABASE_URL: "postgres://db/x", BETTER_AUTH_SECRET: PRESENT, TOKEN_ENCRYPTION_KEY: PRESENT };
  const ok = await runDoctorCommand({
    args,
    root: process.cwd(),
    settings: parseEnv({ ...required, DATA_DIR: dataDir, GITHUB_API_URL: github.url, ...env }),
    open: async () => database.connection,
    readSecrets: () => ({ ...SECRETS, ...secrets }),
    explain: (error) => startFailure(unreachable(error) ?? error),
    print: (line) => lines.push(line),
    ...given,
  });
  return { ok, lines: lines.filter((line) => !/ {2}disk: /.test(line)) };
}
const toDos = async (given: Parameters<typeof examine>[0]) =>
  (await examine(given)).lines.filter((line) => line.startsWith("TO DO"));

test("where all is well each thing has a line that says so", async () => {
  const { lines } = await examine();
  expect(lines).toEqual([
    "ok     driver: The PostgreSQL driver is the patched one.",
    "ok     settings: They fit together.",
    "ok     mail: Emails are written to the outbox folder and reach nobody. Set SMTP_URL and MAIL_FROM, and restart.",
    expect.stringMatching(/^ok {5}database: PostgreSQL \d+\S* answers\.$/),
    "ok     writing: The database can be written.",
    expect.stringMatching(/^ok {5}connections: \d+ of 200 connections are taken\.$/),
    "ok     clock: The database and this machine agree on the time.",
    "ok     LISTEN: Notifications arrive.",
    "ok     migrations: None is pending.",
    `ok     files: They are in ${join(dataDir, "files")}.`,
    "ok     secrets: All of them can be opened.",
    "ok     GitHub token: None is set: only public repositories are read.",
    "ok     backups: No backup is made at night. Set BACKUP_DIR to a folder on another disk, and restart. There is none yet.",
  ]);
});

test("a disk that is almost full and a database without room for connections are to do", () => {
  const disk = { path: "/srv/sangam", freeBytes: 3e9, freePercent: 9.9 };
  expect(examineDisks([disk, { ...disk, path: "/mnt/backups", freePercent: 10 }])).toEqual([
    { topic: "disk", ok: false, text: expect.stringMatching(/\/srv\/sangam.* 9 %|9 % .*\/srv\/sangam/) },
    { topic: "disk", ok: true, text: "10 % of the disk of /mnt/backups is free (3.0 GB)." },
  ]);
  const facts = { version: "17.2", sizeBytes: 1, maxConnections: 200, aheadMs: 0 };
  expect(describeDatabase({ ...facts, connections: 100 }).connections).toBeNull();
  expect(describeDatabase({ ...facts, connections: 190 }).connections).toEqual({
    text: "190 of 200 connections are taken.",
    action: "Raise max_connections of PostgreSQL, or run fewer servers on it.",
  });
});

test("a bus is tried in place of LISTEN, and its address is kept to itself", async () => {
  const bus = await startTestBus();
  const PUBSUB_URL = "redis://:hunter2@127.0.0.1:9";
  const { ok, lines } = await examine({ env: { PUBSUB_URL: bus?.url ?? PUBSUB_URL } });
  expect(lines.join("\n")).not.toContain("LISTEN:");
  expect(ok).toBe(bus !== null);
  await bus?.close();
  const [line, ...others] = await toDos({ env: { PUBSUB_URL } });
  expect(line).toMatch(/^TO DO {2}bus: No notification arrives: .* PUBSUB_URL .*\(ECONNREFUSED\)$/);
  expect(line).not.toContain("hunter2");
  expect(others).toEqual([]);
});

test("all faults of the settings are listed, and nothing that depends on them is looked at", async () => {
  const { ok, lines } = await examine({ env: { PORT: "none", SMTP_URL: "smtp://host" } });
  expect(ok).toBe(false);
  expect(lines).toEqual([
    expect.stringMatching(/^ok {5}driver/),
    "TO DO  settings: MAIL_FROM is required with SMTP_URL: servers refuse mail without a sender.",
    "TO DO  settings: PORT must be a number from 1 to 65535.",
    "TO DO  settings: Correct these first: everything else depends on them.",
  ]);
});

test("a database that is down, or that cannot be opened, is one line", async () => {
  const down = await examine({ open: async () => ({ url: "postgres://127.0.0.1:9/sangam" }) });
  expect(down.ok).toBe(false);
  expect(down.lines.slice(3)).toEqual([
    expect.stringMatching(/^TO DO {2}database: The database does not let the server in/),
  ]);
  const refused = await examine({ open: () => Promise.reject(new Error("secret details")) });
  expect(refused.lines.slice(3)).toEqual([expect.stringMatching(/^TO DO {2}database: The server could not start/)]);
  expect(refused.lines.join("")).not.toContain("secret details");
  const none = await examine({ env: { DATABASE_URL: "" } });
  expect(none.lines.at(-1)).toBe(`ok     database: There is none yet: the first start makes it in ${dataDir}.`);
});

test("a secret of the data folder that is not whole is one line", async () => {
  const own = mkdtempSync(join(dataDir, "own-"));
  for (const name of ["cluster.json", "better-auth-secret"]) writeFileSync(join(own, name), "");
  const env = { DATABASE_URL: "", BETTER_AUTH_SECRET: "", TOKEN_ENCRYPTION_KEY: "", DATA_DIR: own };
  expect(await toDos({ env, readSecrets })).toEqual([
    `TO DO  database: The secret in ${own}/better-auth-secret has 0 of at least 32 characters. Write the former one there. Or remove the file for a new one: what the former one signed or encrypted is lost then.`,
  ]);
});

test("a read-only database, one without its migrations and one of a newer version are told apart", async () => {
  const own = await createTestDatabase();
  const open = async () => own.connection;
  await own.sql.unsafe(`alter database ${own.connection.database} set default_transaction_read_only = on`);
  expect(await toDos({ open })).toEqual([
    "TO DO  writing: The database is read-only: DATABASE_URL must lead to the primary server.",
  ]);
  await own.sql.unsafe(`alter database ${own.connection.database} reset default_transaction_read_only`);
  await own.sql`delete from drizzle.__drizzle_migrations where created_at = (select max(created_at) from drizzle.__drizzle_migrations)`;
  expect(await toDos({ open })).toEqual([
    "TO DO  migrations: 1 is pending: the next start applies them, or `npm run db:migrate` now.",
  ]);
  await own.sql`insert into drizzle.__drizzle_migrations (hash, created_at) values ('newer', 9999999999999)`;
  expect(await toDos({ open })).toEqual([
    expect.stringMatching(/^TO DO {2}migrations: The database has migrations that this version does not know/),
  ]);
  await own.close();
});

test("a database user who could not apply the next migration is to do, and so is an extension that is missing", async () => {
  const own = await createTestDatabase();
  const username = `narrow_${own.connection.database}`;
  const open = async () => ({ ...own.connection, username });
  const run = (statement: string) => own.sql.unsafe(statement);
  await run(`create role ${username} login`);
  try {
    for (const schema of ["public", "drizzle"]) {
      await run(`grant usage on schema ${schema} to ${username}`);
      await run(`grant select on all tables in schema ${schema} to ${username}`);
    }
    expect(await toDos({ open })).toEqual([
      "TO DO  writing: The database user may not create tables: make it the owner of the database and of what is in it, or grant it CREATE on the database and on its schema public.",
    ]);
    await run(`grant create on schema public to ${username}`);
    expect(await toDos({ open })).toEqual([
      "TO DO  writing: The database user may create tables but not schemas, which migrations do: make it the owner of the database and of what is in it, or grant it CREATE on the database and on its schema public.",
    ]);
    await run(`grant create on database ${own.connection.database} to ${username}`);
    expect(await toDos({ open })).toEqual([]);
    await run("drop extension pg_trgm cascade");
    await run(`create schema bare; create view bare.pg_available_extensions as select * from pg_catalog.pg_available_extensions where name <> 'pg_trgm';
      grant usage on schema bare to public; grant select on bare.pg_available_extensions to public`);
    await run(`alter database ${own.connection.database} set search_path = public, bare, pg_catalog`);
    expect(await toDos({ open })).toEqual([
      "TO DO  writing: PostgreSQL lacks the extension pg_trgm, which migrations use: install its contrib package (postgresql-contrib).",
    ]);
  } finally {
    await run(`drop owned by ${username}`);
    await run(`drop role ${username}`);
    await own.close();
  }
});

test("a mail server that lets nobody in is to do, and a test email is written where there is none", async () => {
  const mail = { SMTP_URL: "smtp://127.0.0.1:9", MAIL_FROM: "sangam@firm.example" };
  expect(await toDos({ env: mail })).toEqual([
    expect.stringMatching(/^TO DO {2}mail: The mail server does not let us in: /),
  ]);
  const { lines } = await examine({ args: ["--send-test-mail", "you@firm.example"] });
  expect(lines.join("\n")).toContain("reach nobody. Set SMTP_URL");
  expect(readdirSync(join(dataDir, "outbox"))).toHaveLength(1);
  expect(await examine({ args: ["--send"] })).toEqual({
    ok: false,
    lines: ["Usage: npm run doctor -- [--send-test-mail ADDRESS] [--adopt-store]"],
  });
});

test("a token is shown to GitHub, and one that is refused or cannot be decrypted is to do", async () => {
  const vault = createVault([PRESENT]);
  const by = await makeUser(database.db, { accountType: "admin" });
  await setToken(database.db, {
    token: new SecretToken("ghp_of_the_firm"),
    owners: ["firm"],
    by: { ...by, displayName: "Asha" },
    vault,
    github: { checkToken: async () => "accepted" },
  });
  expect(await toDos({})).toEqual(["TO DO  GitHub token: GitHub refuses it: an admin enters a new one in Settings."]);
  github.tokens.add("ghp_of_the_firm");
  expect((await examine()).lines).toContain("ok     GitHub token: GitHub accepts it.");
  const withoutKey = { tokenEncryptionKey: FORMER };
  expect(await toDos({ secrets: withoutKey })).toEqual([
    expect.stringMatching(/^TO DO {2}secrets: No key opens .*\(repository token\)/),
    "TO DO  GitHub token: It cannot be decrypted: an admin enters a new one in Settings.",
  ]);
});

test("it says when a former secret and a former key can go", async () => {
  const { db } = database;
  const secrets = { oldBetterAuthSecrets: [FORMER], oldTokenEncryptionKeys: [FORMER] };
  const { id: userId } = await makeUser(db, {});
  await makeSession(db, { userId });
  await noteSecrets(db, SECRETS);
  const during = (await examine({ secrets })).lines.join("\n");
  expect(during).toMatch(/sessions: 1 browser is still logged in by BETTER_AUTH_SECRET_OLD, until \d{4}-\d\d-\d\d/);
  await database.sql`delete from sessions`;
  const after = (await examine({ secrets })).lines.join("\n");
  expect(after).toContain("No session needs BETTER_AUTH_SECRET_OLD any more: remove it.");
  expect(after).toContain("Nothing needs TOKEN_ENCRYPTION_KEY_OLD any more: remove it.");
});

test("work that fails and backups that are missing are to do", async () => {
  const { db } = database;
  await db.insert(jobKinds).values([
    { id: "mail", failingSince: new Date(Date.now() - 20 * 60_000), lastError: "Error EAUTH" },
    { id: "housekeeping", failingSince: new Date() },
  ]);
  await db
    .insert(backups)
    .values({ kind: "nightly", file: "/b/1.zip", startedAt: new Date(), error: "The disk is full." });
  expect(await toDos({ env: { BACKUP_DIR: dataDir } })).toEqual([
    expect.stringMatching(
      /^TO DO {2}background work: Email has been stuck since .* The last error: Error EAUTH\. Send a test/,
    ),
    expect.stringMatching(
      /^TO DO {2}backups: The nightly backup failed: The disk is full\. Check that the folder BACKUP_DIR/,
    ),
  ]);
});

test("a folder for backups that is missing or cannot be written is to do, and one that can is left as it was", async () => {
  const missing = join(dataDir, "not-mounted");
  expect(await toDos({ env: { BACKUP_DIR: missing } })).toEqual([
    `TO DO  backups: No backup can be written: There is no ${missing}, or no folder for it. Check that the disk of BACKUP_DIR is mounted, and that this user may write there.`,
  ]);
  // Root may write to any folder, and nobody into a file.
  const file = join(dataDir, "a-file");
  writeFileSync(file, "");
  expect(await toDos({ env: { BACKUP_DIR: file } })).toEqual([
    expect.stringMatching(/^TO DO {2}backups: No backup can be written: /),
  ]);
  const folder = join(dataDir, "backups");
  mkdirSync(folder);
  expect(await toDos({ env: { BACKUP_DIR: folder } })).toEqual([]);
  expect(readdirSync(folder)).toEqual([]);
});

test("off this machine a missing mail server, missing backups and an untrusted certificate are to do", async () => {
  const server = createServer(CERTIFICATE);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  const port = typeof address === "object" && address ? address.port : 0;
  const TRUSTED_PROXIES = "127.0.0.1";
  const [untrusted] = await toDos({ env: { PUBLIC_URL: `https://localhost:${port}`, TRUSTED_PROXIES } });
  expect(untrusted).toMatch(/^TO DO {2}certificate: Browsers do not trust the certificate .*SELF_SIGNED/);
  await new Promise((resolve) => server.close(resolve));
  const lines = await toDos({ env: { PUBLIC_URL: "https://sangam.invalid", TRUSTED_PROXIES } });
  expect(lines).toEqual([
    expect.stringMatching(/^TO DO {2}certificate: https:\/\/sangam\.invalid cannot be reached/),
    expect.stringMatching(/^TO DO {2}mail: .*Set SMTP_URL and MAIL_FROM, and restart\.$/),
    expect.stringMatching(/^TO DO {2}backups: No backup is made at night\. Set BACKUP_DIR/),
  ]);
});
