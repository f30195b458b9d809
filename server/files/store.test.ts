import { createHash, randomUUID } from "node:crypto";
import { once } from "node:events";
import { existsSync, utimesSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { setImmediate } from "node:timers/promises";
import S3rver from "s3rver";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { makeFile, makeProject, makeUser } from "../../db/factories";
import { fileStores, files } from "../../db/schema";
import { createTestDatabase, type TestDatabase } from "../test/db";
import { createDiskStore } from "./disk-store";
import { sweepFiles, sweepUnfinished } from "./jobs";
import { adoptStore, findStoreFault, markStore } from "./ownership";
import { createS3Store } from "./s3-store";
import { type FileStore, nameOf } from "./store";

let database: TestDatabase;
let folder: string;
let bucket: S3rver;
let s3Url: string;

beforeAll(async () => {
  database = await createTestDatabase();
  folder = await mkdtemp(join(tmpdir(), "sangam-store-"));
  const directory = join(folder, "s3");
  bucket = new S3rver({
    port: 0,
    address: "127.0.0.1",
    silent: true,
    directory,
    configureBuckets: [{ name: "firm", configs: [] }],
  });
  const { port } = await bucket.run();
  s3Url = `http://S3RVER:S3RVER@127.0.0.1:${port}/firm/sangam`;
});
afterAll(async () => {
  await bucket.close();
  await database.close();
  await rm(folder, { recursive: true });
});

const put = async (store: FileStore, content: string) => {
  const path = join(folder, randomUUID());
  await writeFile(path, content);
  const hash = createHash("sha256").update(content).digest("hex");
  await store.put(nameOf(hash), path);
  return hash;
};
const namesIn = async (store: FileStore) => {
  const names: string[] = [];
  for await (const { name } of store.list()) names.push(name);
  return names.sort();
};
const read = async (store: FileStore, hash: string, range?: { start: number; end: number }) => {
  const opened = await store.open(nameOf(hash), range);
  return opened && { size: opened.size, text: (await buffer(opened.content)).toString() };
};

describe.each([
  ["a folder", () => createDiskStore(join(folder, "files"))],
  ["a bucket", () => createS3Store(s3Url)],
])("%s", (_name, open) => {
  test("holds what is put there, whole and in parts, until it is deleted", async () => {
    const store = open();
    expect(await namesIn(store)).toEqual([]);
    expect(await store.readMarker()).toBeNull();
    const hash = await put(store, "0123456789");
    expect(await put(store, "0123456789")).toBe(hash);
    await store.writeMarker("a-mark");
    expect(await store.readMarker()).toBe("a-mark");
    expect(await namesIn(store)).toEqual([nameOf(hash)]);
    expect(await read(store, hash)).toEqual({ size: 10, text: "0123456789" });
    expect(await read(store, hash, { start: 3, end: 5 })).toEqual({ size: 3, text: "345" });
    expect(await read(store, "f".repeat(64))).toBeNull();
    expect([await store.has(nameOf(hash)), await store.has(nameOf("f".repeat(64)))]).toEqual([true, false]);
    await store.delete(nameOf(hash));
    await store.delete(nameOf(hash));
    expect(await namesIn(store)).toEqual([]);
  });
});

test("a bucket that does not answer, or falls silent in the middle, ends each call", async () => {
  const server = createServer((request, answer) => {
    request.resume();
    if (request.url?.includes("half")) answer.writeHead(200, { "content-length": 10 }).write("01234");
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  const address = server.address();
  const port = typeof address === "object" ? address?.port : null;
  const store = createS3Store(`http://KEY:SECRET@127.0.0.1:${port}/firm`, { callTimeoutMs: 300, maxSilenceMs: 300 });
  const calls = [
    store.has("a"),
    store.delete("a"),
    namesIn(store),
    store.readMarker(),
    store.open("a"),
    put(store, "a"),
  ];
  for (const call of await Promise.allSettled(calls)) expect(call.status).toBe("rejected");
  const opened = await store.open("half");
  await expect(opened && buffer(opened.content)).rejects.toThrow("silent");
  server.closeAllConnections();
  server.close();
});

test("what nobody refers to goes after a day: files that hang on nothing, their bytes, and uploads that broke off", async () => {
  const { db } = database;
  const store = createDiskStore(join(folder, "swept"));
  const asha = await makeUser(db);
  const projectId = (await makeProject(db, { createdBy: asha.id })).id;
  const day = new Date(Date.now() - 25 * 3_600_000);
  const make = async (content: string, given: object, at?: Date) => {
    const hash = await put(store, content);
    if (at) utimesSync(join(folder, "swept", nameOf(hash)), at, at);
    if (given) await makeFile(db, { uploadedBy: asha.id, hash, name: content, ...(at && { createdAt: at }), ...given });
    return hash;
  };
  const kept = [
    await make("attached", { projectId, visibility: "team" }, day),
    await make("new", {}),
    await put(store, "being uploaded"),
  ];
  await make("never attached", {}, day);
  const orphan = await put(store, "of a deleted project");
  utimesSync(join(folder, "swept", nameOf(orphan)), day, day);
  await writeFile(join(folder, "swept", "notes.txt"), "not ours");
  utimesSync(join(folder, "swept", "notes.txt"), day, day);
  await sweepFiles(db, { store });
  expect(await namesIn(store)).toEqual([...kept.map(nameOf), "notes.txt"].sort());
  expect((await db.select().from(files)).map(({ name }) => name).sort()).toEqual(["attached", "new"]);
});

test("a sweep that loses its lock to a slow store removes nothing more", async () => {
  const quick = await createTestDatabase({ idleInTransactionTimeoutMs: 300 });
  const store = createDiskStore(join(folder, "slow"));
  const day = new Date(Date.now() - 25 * 3_600_000);
  for (const content of ["one", "another"])
    utimesSync(join(folder, "slow", nameOf(await put(store, content))), day, day);
  const deleted: string[] = [];
  let goOn = () => {};
  const lockIsLost = new Promise<void>((resolve) => (goOn = resolve));
  const slow: FileStore = {
    ...store,
    delete: (name) => {
      deleted.push(name);
      return lockIsLost;
    },
  };
  await expect(sweepFiles(quick.db, { store: slow })).rejects.toMatchObject({ code: "CONNECTION_CLOSED" });
  goOn();
  await setImmediate();
  expect(deleted).toHaveLength(1);
  await quick.close();
});

test("what a killed process left of uploads is removed after an hour; what is being uploaded stays", async () => {
  const uploads = await mkdtemp(join(folder, "uploads-"));
  for (const name of ["left", "running"]) await writeFile(join(uploads, name), "part");
  const earlier = new Date(Date.now() - 61 * 60_000);
  utimesSync(join(uploads, "left"), earlier, earlier);
  await sweepUnfinished(uploads);
  expect([existsSync(join(uploads, "left")), existsSync(join(uploads, "running"))]).toEqual([false, true]);
});

test("a store of another database is known as such, and one that is missing; whoever knows better says so", async () => {
  const { db } = database;
  await db.delete(fileStores);
  const own = createDiskStore(join(folder, "own"));
  expect(await findStoreFault(db, own)).toBeNull();
  await markStore(db, own);
  await markStore(db, own);
  expect(await findStoreFault(db, own)).toBeNull();
  const moved = createDiskStore(join(folder, "moved"));
  expect(await findStoreFault(db, moved)).toBe("missing");
  await moved.writeMarker(randomUUID());
  expect(await findStoreFault(db, moved)).toBe("another");
  await adoptStore(db, moved);
  expect(await findStoreFault(db, moved)).toBeNull();
  expect(await findStoreFault(db, own)).toBe("another");
});
