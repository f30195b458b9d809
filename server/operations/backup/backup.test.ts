import { mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, expect, test } from "vitest";
import { makeConversation, makeUser } from "../../../db/factories";
import { findBackupStatus } from "../../backups/queries";
import { createTestDatabase, type TestDatabase } from "../../test/db";
import { openArchive } from "../archive";
import { runBackupCommand } from "./command";
import { manifestSchema } from "./manifest";
import { openSecrets } from "./sealed-secrets";

let database: TestDatabase;
let folder: string;

const secrets = {
  betterAuthSecret: "a".repeat(32),
  oldBetterAuthSecrets: [],
  tokenEncryptionKey: "k".repeat(32),
  oldTokenEncryptionKeys: [],
};
const passphrase = "correct horse battery";

beforeAll(async () => {
  database = await createTestDatabase();
  folder = await mkdtemp(join(tmpdir(), "sangam-backup-"));
});
afterAll(async () => {
  await database.close();
  await rm(folder, { recursive: true });
});

function backUp(file: string, options: { passphrase?: string | null } = {}) {
  const { connection } = database;
  const source = { connection, dataDir: folder, secrets, passphrase, version: "0.1.0", ...options };
  return runBackupCommand({ ...source, args: [file], folder });
}

test("a backup is one private file with everything in it, and is recorded", async () => {
  const asha = await makeUser(database.db, { accountType: "admin", name: "Asha\tRao\\" });
  const meera = await makeUser(database.db, { accountType: "client" });
  await makeConversation(database.db, { between: [asha, meera] } as never);
  const { ok, sentence } = await backUp("one.zip");
  expect([ok, sentence]).toEqual([true, expect.stringMatching(/one\.zip holds \d+ rows of \d+ tables and 0 files/)]);
  const file = join(folder, "one.zip");
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  const archive = await openArchive(file);
  const manifest = manifestSchema.parse(JSON.parse(await text(await archive.read("manifest.json"))));
  expect(manifest.tables.find(({ name }) => name === "users")?.rows).toBe(2);
  archive.close();
  expect((await findBackupStatus(database.db)).last).toMatchObject({ file, holdsSecrets: true, error: null });
});
