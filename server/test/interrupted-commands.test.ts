import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, expect, test } from "vitest";
import { connect, STARTUP_OPTIONS } from "../../db/client";
import { makeUser } from "../../db/factories";
import { users } from "../../db/schema";
import { parseEnv } from "../core/env";
import { createDiskStore } from "../files/disk-store";
import { createFileStore } from "../files/stores";
import { runBackupCommand } from "../operations/backup/command";
import { runOperation } from "../operations/commands";
import { createTestDatabase, type TestDatabase } from "./db";

const SECRET = "s".repeat(32);
const secrets = {
  ...{ betterAuthSecret: SECRET, oldBetterAuthSecrets: [] },
  ...{ tokenEncryptionKey: SECRET, oldTokenEncryptionKeys: [] },
};
const LOCKED_TABLE = "lock table users";
/** That of whoever prepares a database. */
const LOCKED_START = "select pg_advisory_xact_lock(726426)";

let database: TestDatabase;
let folder: string;

beforeAll(async () => {
  database = await createTestDatabase();
  folder = await mkdtemp(join(tmpdir(), "sangam-interrupted-"));
  await makeUser(database.db, { accountType: "admin" });
  const store = createDiskStore(join(folder, "files"));
  await writeFile(join(folder, "upload"), "Bytes");
  await store.put("ab/bytes", join(folder, "upload"));
  const source = { connection: database.connection, dataDir: folder, store, secrets, passphrase: null };
  expect(await runBackupCommand({ ...source, version: "0", args: ["whole.zip"], folder })).toMatchObject({ ok: true });
});
afterAll(async () => {
  await database.close();
  await rm(folder, { recursive: true });
});

/** While a lock keeps it from going on: `interrupt` is to end it. */
async function midway<Outcome>(
  lock: string,
  begin: (target: TestDatabase) => { ended: Promise<Outcome>; interrupt: () => void },
): Promise<{ outcome: Outcome; people: number }> {
  const target = await createTestDatabase();
  const holder = connect(target.connection, STARTUP_OPTIONS);
  try {
    const outcome = await holder.begin(async (tx) => {
      await tx.unsafe(lock);
      const { ended, interrupt } = begin(target);
      await Promise.race([target.untilWaiting(), ended.then((early) => expect.fail(JSON.stringify(early)))]);
      interrupt();
      return { ended: await ended };
    });
    return { outcome: outcome.ended, people: await target.db.$count(users) };
  } finally {
    await holder.end();
    await target.close();
  }
}

test("a backup that is told to stop fails, says so, and leaves no half of its file", async () => {
  const own = await mkdtemp(join(folder, "own-"));
  const { outcome } = await midway(LOCKED_TABLE, ({ connection: { host, port, username, database: name } }) => {
    const args = ["--import", "tsx", "server/index.ts", "--backup", own, "new.zip"];
    const command = spawn(process.execPath, args, {
      env: {
        PATH: process.env.PATH,
        DATA_DIR: join(folder, "data"),
        DATABASE_URL: `postgres://${username}@localhost/${name}?host=${encodeURIComponent(host)}&port=${port}`,
        BETTER_AUTH_SECRET: SECRET,
        TOKEN_ENCRYPTION_KEY: SECRET,
      },
      stdio: ["ignore", "ignore", "pipe"],
    });
    const said = text(command.stderr);
    const ended = once(command, "exit").then(async ([status]) => ({ status, said: await said }));
    return { ended, interrupt: () => command.kill("SIGTERM") };
  });
  expect(outcome).toEqual({ status: 143, said: "Interrupted: no backup was written.\n" });
  expect(await readdir(own)).toEqual([]);
});

test.each([
  ["a restore", "restore", "../whole.zip", LOCKED_START, "Interrupted: nothing was restored."],
  ["an export", "export", "new.zip", LOCKED_TABLE, "Interrupted: no export was written."],
] as const)(
  "%s that is broken off says so, and takes back what it has half done",
  async (_, name, file, lock, sentence) => {
    const own = await mkdtemp(join(folder, "own-"));
    const parsed = parseEnv({ DATA_DIR: await mkdtemp(join(folder, "data-")) });
    if (parsed.problems) throw new Error(parsed.problems.join());
    const { env } = parsed;
    const interruption = new AbortController();
    const { outcome, people } = await midway(lock, ({ connection }) => {
      const ended = runOperation(
        { name, folder: own, args: [file] },
        {
          ...{ env, root: process.cwd(), connection, signal: interruption.signal },
          ...{ migrate: async () => {}, readSecrets: () => secrets },
        },
      );
      return { ended, interrupt: () => interruption.abort() };
    });
    expect(outcome).toEqual({ ok: false, sentence });
    expect(await readdir(own)).toEqual([]);
    const left: string[] = [];
    for await (const { name } of createFileStore(env).list()) left.push(name);
    expect([left, people]).toEqual([[], 0]);
  },
);
