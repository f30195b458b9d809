import { randomUUID } from "node:crypto";
import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buffer, text } from "node:stream/consumers";
import { asc, eq } from "drizzle-orm";
import S3rver from "s3rver";
import { afterAll, beforeAll, expect, test } from "vitest";
import { makeConversation, makeProject, makeSession, makeUser, type UserRow } from "../../../db/factories";
import { readMigrations } from "../../../db/migrate";
import {
  auditEvents,
  backupRequests,
  inquiries,
  messages,
  repositoryTokens,
  sessions,
  users,
} from "../../../db/schema";
import { findBackupStatus } from "../../backups/queries";
import type { File } from "../../contract/views";
import type { Secrets } from "../../core/secrets";
import { createVault, SecretToken } from "../../core/vault";
import { createDiskStore } from "../../files/disk-store";
import { findStoreFault, markStore } from "../../files/ownership";
import { createS3Store } from "../../files/s3-store";
import type { FileStore } from "../../files/store";
import { createFileStore } from "../../files/stores";
import { findGrant } from "../../github/token";
import { createTestCallers } from "../../test/caller";
import { createTestDatabase, type TestDatabase } from "../../test/db";
import { type LiveServer, startLiveServer } from "../../test/live-server";
import { sessionCookie } from "../../test/session-cookie";
import { createArchive, openArchive, writeWhole } from "../archive";
import { runRestoreCommand } from "../restore/command";
import { tryOut } from "../restore/try-out";
import { runBackupCommand } from "./command";
import { manifestSchema } from "./manifest";

const secrets: Secrets = {
  betterAuthSecret: "a".repeat(32),
  oldBetterAuthSecrets: [],
  tokenEncryptionKey: "k".repeat(32),
  oldTokenEncryptionKeys: [],
};
const passphrase = "correct horse battery";
const migrations = readMigrations(process.cwd());
const boundTo = "repository token of the organisation for sangam";

let database: TestDatabase;
let asha: UserRow;
let folder: string;
let whole: string;
let bucket: S3rver;
let s3Url: string;

beforeAll(async () => {
  database = await createTestDatabase();
  folder = await mkdtemp(join(tmpdir(), "sangam-backup-"));
  whole = join(folder, "whole.zip");
  bucket = new S3rver({
    ...{ port: 0, address: "127.0.0.1", silent: true, directory: join(folder, "s3") },
    configureBuckets: [{ name: "firm", configs: [] }],
  });
  s3Url = `http://S3RVER:S3RVER@127.0.0.1:${(await bucket.run()).port}/firm/sangam`;
  const { db } = database;
  asha = await makeUser(db, { accountType: "admin", name: "Asha \\N\tRao" });
  const meera = await makeUser(db, { accountType: "client" });
  await makeConversation(db, {
    between: [asha.id, meera.id],
    messages: [
      { senderId: asha.id, text: "One\nline and\r\nanother" },
      { senderId: meera.id, text: "₹ 😀 \\." },
    ],
  });
  await db.update(users).set({ decidedBy: asha.id }).where(eq(users.id, meera.id));
  await makeSession(db, { userId: asha.id });
  const sealed = createVault([secrets.tokenEncryptionKey]).seal(new SecretToken("ghp_of_the_firm"), boundTo);
  await db.insert(repositoryTokens).values({ ...sealed, lastFour: "firm", owners: ["sangam"] });
  await mkdir(join(folder, "files", "ab"), { recursive: true });
  await writeFile(join(folder, "files", "ab", "picture"), Buffer.alloc(300_000, 7));
  await db.insert(backupRequests).values({ id: "backup" });
  expect(await backUp("whole.zip")).toMatchObject({ ok: true });
});
afterAll(async () => {
  await bucket.close();
  await database.close();
  await rm(folder, { recursive: true });
});

function backUp(
  file: string,
  {
    connection = database.connection,
    dataDir = folder,
    store = createDiskStore(join(dataDir, "files")),
    passphrase: asked = passphrase,
  }: Partial<Pick<TestDatabase, "connection">> & {
    dataDir?: string;
    passphrase?: string | null;
    store?: FileStore;
  } = {},
) {
  const source = { connection, dataDir, store, secrets, passphrase: asked, version: "0.1.0" };
  return runBackupCommand({ ...source, args: [file], folder });
}

/** Into a database of its own, and a data folder of its own where none is given. */
async function restored(
  file: string,
  {
    given = {},
    args = [],
    dataDir: chosen,
    passphrase: asked = passphrase,
    migrations: known = migrations,
  }: Restoring = {},
): Promise<Restored> {
  const target = await createTestDatabase();
  const dataDir = chosen ?? (await mkdtemp(join(folder, "target-")));
  const env = { ...NO_SECRETS, dataDir, s3Url: null, ...given };
  const answer = await runRestoreCommand({
    ...{ args: [file, ...args], folder, passphrase: asked, migrations: known, env },
    connection: target.connection,
  });
  return { ...answer, ...target, dataDir, [Symbol.asyncDispose]: () => target.close() };
}

type Restoring = {
  given?: Partial<Secrets> & { s3Url?: string };
  args?: string[];
  dataDir?: string;
  passphrase?: string | null;
  migrations?: typeof migrations;
};
type Restored = AsyncDisposable &
  Pick<TestDatabase, "db" | "sql" | "connection"> & { ok: boolean; sentence: string; dataDir: string };

const NO_SECRETS = {
  betterAuthSecret: null,
  oldBetterAuthSecrets: [],
  tokenEncryptionKey: null,
  oldTokenEncryptionKeys: [],
};

const OF_TEAM = "Zanzibar, for the team";
const OF_CLIENT = "Zanzibar, for everybody";

/** Another database, with a server: in one project a comment and a file for the team and for the client, who has read one of two notifications. */
async function filledWithWork() {
  const origin = await createTestDatabase();
  const { db } = origin;
  const dataDir = await mkdtemp(join(folder, "origin-"));
  const server = await startLiveServer({ ...origin, env: { dataDir } });
  const [rohan, meera] = [await makeUser(db), await makeUser(db, { accountType: "client" })];
  await makeUser(db, { accountType: "admin" });
  const { id: projectId } = await makeProject(db, { createdBy: rohan.id, clientId: meera.id });
  const caller = await createTestCallers(db).as(rohan);
  const cookie = sessionCookie((await makeSession(db, { userId: rohan.id })).token);
  const fileIds: string[] = [];
  for (const [visibility, name, body] of [
    ["team", "zanzibar of the team.txt", "Secret"],
    ["client", "zanzibar.txt", "Shared"],
  ] as const) {
    const address = `${server.base}/api/files?name=${encodeURIComponent(name)}`;
    const { id }: File = await (await fetch(address, { method: "POST", body, headers: { cookie } })).json();
    fileIds.push(id);
    await caller.files.attach({ subject: { projectId }, fileIds: [id], visibility });
  }
  for (const [visibility, text] of [
    ["team", OF_TEAM],
    ["client", OF_CLIENT],
  ] as const)
    await caller.comments.create({ subject: { projectId }, text, visibility, clientCommentId: randomUUID() });
  await caller.projects.update({ projectId, version: 1, patch: { status: "inProgress" } });
  const { notifications } = await createTestCallers(db).as(meera);
  const [newest] = (await notifications.list({})).items;
  await notifications.markRead({ ids: [newest?.id ?? ""] });
  return {
    ...origin,
    ...{ dataDir, server, projectId, fileIds, people: [rohan, meera] },
    async [Symbol.asyncDispose]() {
      await server.close();
      await origin.close();
    },
  };
}

/** A backup in which one entry is another one. */
async function tampered(name: string, change: (content: string) => string): Promise<string> {
  const archive = await openArchive(whole);
  const file = join(folder, `tampered-${name.replaceAll("/", "-")}.zip`);
  const copy = createArchive(async (writer) => {
    for (const entry of archive.names) {
      const content = await archive.read(entry);
      await writer.add(entry, entry === name ? change(await text(content)) : content);
    }
  });
  await writeWhole(file, copy);
  archive.close();
  return file;
}

test("a backup is one file of its owner alone, tells what is in it, and is recorded", async () => {
  expect((await stat(whole)).mode & 0o777).toBe(0o600);
  const archive = await openArchive(whole);
  const manifest = manifestSchema.parse(JSON.parse(await text(await archive.read("manifest.json"))));
  archive.close();
  expect(manifest.versions).toMatchObject({ sangam: "0.1.0", migration: migrations.at(-1)?.folderMillis });
  const rowsOf = (name: string) => manifest.tables.find((table) => table.name === name)?.rows;
  expect([rowsOf("users"), rowsOf("messages"), rowsOf("tasks")]).toEqual([2, 2, 0]);
  expect((await readFile(whole)).includes(secrets.tokenEncryptionKey)).toBe(false);
  expect((await findBackupStatus(database.db)).last).toMatchObject({
    file: whole,
    holdsSecrets: true,
    isVerified: true,
    error: null,
  });
  expect(await backUp("whole.zip")).toMatchObject({ ok: false, sentence: expect.stringContaining("already") });
  expect((await readdir(folder)).filter((name) => name.includes("partial"))).toEqual([]);
});

test("restored with its secrets everything is there: rows, files, what was encrypted, and who was logged in", async () => {
  await using target = await restored("whole.zip");
  expect(target.sentence).toMatch(/^Restored \d+ rows of \d+ tables and 1 files from .*all of it is as it was\.$/);
  expect(target.ok).toBe(true);
  const read = async ({ db }: Pick<TestDatabase, "db">) => ({
    users: await db.select().from(users).orderBy(asc(users.id)),
    messages: await db.select().from(messages).orderBy(asc(messages.seq)),
    sessions: await db.select().from(sessions),
  });
  expect(await read(target)).toEqual(await read(database));
  expect(await readFile(join(target.dataDir, "better-auth-secret"), "utf8")).toBe(`${secrets.betterAuthSecret}\n`);
  const grant = await findGrant(target.db, createVault([secrets.tokenEncryptionKey]));
  expect(grant?.token.reveal()).toBe("ghp_of_the_firm");
  expect((await readFile(join(target.dataDir, "files", "ab", "picture"))).length).toBe(300_000);
  // The wish for the backup is fulfilled: nobody makes another one.
  expect(await target.db.$count(backupRequests)).toBe(0);
  // The next number follows those that were given out.
  const [{ id: before } = { id: 0 }] = await database.db
    .insert(auditEvents)
    .values({ kind: "data.exported" })
    .returning();
  const [{ id } = { id: 0 }] = await target.db.insert(auditEvents).values({ kind: "data.exported" }).returning();
  expect(id).toBeGreaterThanOrEqual(before);
  const events = await target.db.select({ kind: auditEvents.kind }).from(auditEvents).orderBy(auditEvents.id);
  expect(events[0]?.kind).toBe("data.restored");
  // What the restore has tried out, and what it would have said of each.
  const complaints = () => tryOut(target.db);
  expect(await complaints()).toEqual([]);
  await target.sql`delete from messages`;
  expect(await complaints()).toEqual(["The messages of a conversation could not be read."]);
  await target.sql`update conversations set last_seq = 0`;
  await target.sql.unsafe(`create function expire() returns trigger language plpgsql
    as $$ begin new.expires_at := now() - interval '1 s'; return new; end $$`);
  await target.sql`create trigger expire before insert on sessions for each row execute function expire()`;
  expect(await complaints()).toEqual(["A session of an admin was not found again."]);
  await target.db.update(users).set({ accountStatus: "inactive" });
  expect(await complaints()).toEqual([expect.stringMatching(/^No admin is active in it\. Make one: /)]);
});

test("after a restore team and client find comments, files and what they have read as before, and the client none of the team's", async () => {
  await using origin = await filledWithWork();
  const { people, projectId, server, fileIds } = origin;
  /** What these two people are given by a server of a database: list, search, download and inbox. */
  const seenAt = async (at: Pick<TestDatabase, "db">, { base }: LiveServer) => {
    const seen = people.map(async (person) => {
      const caller = await createTestCallers(at.db).as(person);
      const cookie = sessionCookie((await makeSession(at.db, { userId: person.id })).token);
      const { comments, files } = await caller.search.all({ q: "zanzibar" });
      return {
        comments: (await caller.comments.list({ subject: { projectId } })).items,
        files: await caller.files.list({ subject: { projectId } }),
        found: { comments, files },
        downloads: await Promise.all(
          fileIds.map(async (id) => {
            const answer = await fetch(`${base}/api/files/${id}`, { headers: { cookie } });
            return answer.ok ? await answer.text() : answer.status;
          }),
        ),
        inbox: await caller.notifications.list({}),
      };
    });
    return Promise.all(seen);
  };
  const before = await seenAt(origin, server);
  const [team, client] = before;
  const textsOf = (comments: { text: string }[] = []) => comments.map(({ text }) => text);
  expect([textsOf(team?.comments), textsOf(client?.comments)]).toEqual([[OF_TEAM, OF_CLIENT], [OF_CLIENT]]);
  expect(before.map(({ found }) => [found.comments.length, found.files.length])).toEqual([
    [2, 2],
    [1, 1],
  ]);
  expect(before.map(({ downloads }) => downloads)).toEqual([
    ["Secret", "Shared"],
    [404, "Shared"],
  ]);
  expect(client?.inbox).toMatchObject({ unread: 1 });
  expect(client?.inbox.items.map(({ readAt }) => readAt !== null).toSorted()).toEqual([false, true]);
  expect(await backUp("work.zip", { ...origin, passphrase: null })).toMatchObject({ ok: true });
  await using target = await restored("work.zip");
  expect(target.ok).toBe(true);
  const again = await startLiveServer({ ...target, env: { dataDir: target.dataDir } });
  const after = await seenAt(target, again);
  await again.close();
  expect(after).toEqual(before);
  expect(JSON.stringify(after[1])).not.toContain("the team");
});

test("where the environment gives other secrets they count: what was encrypted is encrypted anew, and sessions end", async () => {
  const given = { betterAuthSecret: "b".repeat(32), tokenEncryptionKey: "l".repeat(32) };
  await using target = await restored("whole.zip", { given });
  expect(target.sentence).toContain("Encrypted anew with the present TOKEN_ENCRYPTION_KEY: 1.");
  expect(target.sentence).toContain("everyone logs in again");
  expect((await findGrant(target.db, createVault([given.tokenEncryptionKey])))?.token.reveal()).toBe("ghp_of_the_firm");
  expect(await target.db.$count(sessions)).toBe(0);
  expect(await readdir(target.dataDir)).toEqual(["files"]);
});

test("without the secrets of the backup the sentence says what cannot be read; files go into a bucket, and out of it", async () => {
  await using target = await restored("whole.zip", {
    ...{ args: ["--without-secrets"], passphrase: null, given: { s3Url } },
  });
  expect(await backUp("bucket.zip", { store: createS3Store(s3Url) })).toMatchObject({ ok: true });
  const [before, after] = [await openArchive(join(folder, "whole.zip")), await openArchive(join(folder, "bucket.zip"))];
  const bytes = await buffer(await after.read("files/ab/picture"));
  expect(bytes.equals(await buffer(await before.read("files/ab/picture")))).toBe(true);
  for (const archive of [before, after]) archive.close();
  expect(target.sentence).toContain("repository token. Give it in TOKEN_ENCRYPTION_KEY_OLD");
  await using refused = await restored("whole.zip", { passphrase: null });
  expect(refused).toMatchObject({ ok: false, sentence: expect.stringContaining("BACKUP_PASSPHRASE") });
  expect(await refused.db.$count(users)).toBe(0);
});

test.each([
  [
    "a table",
    "tables/messages.copy",
    (rows: string) => rows.replace("One", "Two"),
    /messages\.copy is not as it was written/,
  ],
  ["the manifest", "manifest.json", (json: string) => json.replace("0.1.0", "0.1.1"), /passphrase is not the one/],
  [
    "its version",
    "manifest.json",
    (json: string) => json.replace(/"migration": \d+/, '"migration": 1'),
    /newer version/,
  ],
  ["its format", "manifest.json", (json: string) => json.replace('"format": 1', '"format": 2'), /newer version/],
  ["nothing left of the manifest", "manifest.json", () => "{", /is damaged/],
])(
  "a backup with a change in %s is refused in a sentence, and nothing is changed",
  async (_what, name, change, sentence) => {
    // A passphrase takes half a second.
    const args = name === "manifest.json" ? [] : ["--without-secrets"];
    await using target = await restored(await tampered(name, change), { args });
    expect(target).toMatchObject({ ok: false, sentence: expect.stringMatching(sentence) });
    expect([await target.db.$count(users), await readdir(target.dataDir)]).toEqual([0, []]);
  },
);

test("half a file, another file, none and a wrong passphrase are told apart", async () => {
  const bytes = await readFile(whole);
  await writeFile(join(folder, "half.zip"), bytes.subarray(0, bytes.length / 2));
  await using half = await restored("half.zip");
  expect(half.sentence).toContain("half.zip is no zip file, or not all of it is there.");
  await using none = await restored("none.zip");
  expect(none.sentence).toContain("There is no ");
  await using wrong = await restored("whole.zip", { passphrase: "another passphrase" });
  expect(wrong.sentence).toContain("The passphrase is not the one of this backup");
  expect([half.ok, none.ok, wrong.ok, await wrong.db.$count(users)]).toEqual([false, false, false, 0]);
});

test.each(["a folder", "a bucket"])(
  "a move to another database keeps the files where they are, in %s: what is missing is put, and the mark is the new one's",
  async (place) => {
    const dataDir = await mkdtemp(join(folder, "moved-"));
    const given = place === "a bucket" ? { s3Url: `${s3Url}-moved` } : {};
    const store = createFileStore({ dataDir, s3Url: null, ...given });
    const names = async () => {
      const found: string[] = [];
      for await (const { name } of store.list()) found.push(name);
      return found.toSorted();
    };
    const put = async (name: string) => {
      await writeFile(join(dataDir, "upload"), `The bytes of ${name}`);
      await store.put(name, join(dataDir, "upload"));
    };
    const origin = await createTestDatabase();
    await makeUser(origin.db, { accountType: "admin" });
    await markStore(origin.db, store);
    for (const name of ["aa/one", "bb/two"]) await put(name);
    const file = `moved-from-${place.replace(" ", "-")}.zip`;
    expect(await backUp(file, { ...origin, dataDir, store, passphrase: null })).toMatchObject({ ok: true });

    await put("cc/uploaded since");
    await store.delete("bb/two");
    await using refused = await restored(file, { dataDir, given });
    expect(refused.sentence).toMatch(
      /^There are files in .* that the backup does not have, such as cc\/uploaded since: /,
    );
    await store.delete("cc/uploaded since");
    const inUse = { ...NO_SECRETS, dataDir, s3Url: null, ...given };
    const restoring = { folder, passphrase: null, migrations, env: inUse, connection: origin.connection };
    expect(await runRestoreCommand({ ...restoring, args: [file] })).toMatchObject({ ok: false });
    expect([await names(), await findStoreFault(origin.db, store)], "after a restore that failed").toEqual([
      ["aa/one"],
      null,
    ]);

    await using target = await restored(file, { dataDir, given });
    expect(target.sentence).toMatch(/^Restored /);
    expect(await names()).toEqual(["aa/one", "bb/two"]);
    expect(await findStoreFault(target.db, store)).toBeNull();
    // Its next start says so: its sweep would remove what is uploaded from now on.
    expect(await findStoreFault(origin.db, store)).toBe("another");

    for (const name of await names()) await store.delete(name);
    expect(await backUp(`no-${file}`, { ...target, store, passphrase: null })).toMatchObject({ ok: true });
    await using again = await restored(`no-${file}`, { dataDir, given });
    expect(await findStoreFault(again.db, store), "a store that has a mark and no files").toBeNull();
    await origin.close();
  },
);

test("a database that is in use is left alone", async () => {
  await using target = await restored("none.zip");
  const restoreAgain = () =>
    runRestoreCommand({
      ...{ args: ["whole.zip", "--without-secrets"], folder, passphrase, migrations },
      env: { ...NO_SECRETS, dataDir: target.dataDir, s3Url: null },
      connection: target.connection,
    });
  await makeUser(target.db, { name: "Here First" });
  expect((await restoreAgain()).sentence).toContain("A server uses this database");
  await database.sql`select pg_terminate_backend(pid) from pg_stat_activity where datname = ${target.connection.database}`;
  expect((await restoreAgain()).sentence).toContain("not empty: users has 1 rows");
  expect((await target.db.select().from(users)).map(({ name }) => name)).toEqual(["Here First"]);
});

test("a backup taken while people write is of one moment", async () => {
  const { db } = database;
  let isOver = false;
  const writing = (async () => {
    // Two rows in two tables at a time: never one without the other.
    for (let round = 0; !isOver; round += 1) {
      await db.transaction(async (tx) => {
        const name = `Round ${round}`;
        await tx
          .insert(inquiries)
          .values({ kind: "contact", name, email: "a@b.example", subject: "other", message: "m" });
        await tx.insert(auditEvents).values({ kind: "account.approved", details: { name } });
      });
    }
  })();
  await expect.poll(() => db.$count(inquiries)).toBeGreaterThan(3);
  const { ok } = await backUp("busy.zip", { passphrase: null });
  isOver = true;
  await writing;
  expect(ok).toBe(true);
  await using target = await restored("busy.zip");
  const approvals = await target.db.$count(auditEvents, eq(auditEvents.kind, "account.approved"));
  expect(approvals).toBe(await target.db.$count(inquiries));
  expect(approvals).toBeGreaterThan(3);
});

test("a backup of an older version is brought to the present one", async () => {
  const at = (migrations.at(-1)?.folderMillis ?? 0) + 1;
  const later = {
    sql: ["alter table users add column later text default 'new'"],
    folderMillis: at,
    hash: "-",
    bps: true,
  };
  await using target = await restored("whole.zip", { args: ["--without-secrets"], migrations: [...migrations, later] });
  expect(target.ok).toBe(true);
  expect([...(await target.sql`select distinct later from users`)]).toEqual([{ later: "new" }]);
});
