import { createHash, getRandomValues, randomUUID } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { eq } from "drizzle-orm";
import S3rver from "s3rver";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { makeConversation, makeFile, makeProject, makeSession, makeUser, type UserRow } from "../../db/factories";
import { files, messages } from "../../db/schema";
import { MAX_FILE_BYTES } from "../contract/files";
import { MESSAGES } from "../contract/messages";
import type { File } from "../contract/views";
import { createTestCallers } from "../test/caller";
import { createTestDatabase, type TestDatabase } from "../test/db";
import { type LiveServer, startLiveServer } from "../test/live-server";
import { sessionCookie } from "../test/session-cookie";
import { createDiskStore } from "./disk-store";
import { createS3Store } from "./s3-store";
import { nameOf } from "./store";

let database: TestDatabase;
let server: LiveServer;
/** Another one of this database, whose files are in a bucket. */
let bucketServer: LiveServer;
let bucket: S3rver;
let s3Url: string;
let folder: string;
let asha: UserRow;
let cookie: string;

beforeAll(async () => {
  database = await createTestDatabase();
  folder = await mkdtemp(join(tmpdir(), "sangam-files-"));
  server = await startLiveServer({ ...database, env: { dataDir: folder, filesQuotaBytes: 60_000_000 } });
  bucket = new S3rver({
    ...{ port: 0, address: "127.0.0.1", silent: true, directory: join(folder, "s3") },
    configureBuckets: [{ name: "firm", configs: [] }],
  });
  s3Url = `http://S3RVER:S3RVER@127.0.0.1:${(await bucket.run()).port}/firm/sangam`;
  bucketServer = await startLiveServer({ ...database, env: { dataDir: join(folder, "of-bucket"), s3Url } });
  asha = await makeUser(database.db);
  cookie = await cookieOf(asha);
});
afterAll(async () => {
  await server.close();
  await bucketServer.close();
  await bucket.close();
  await database.close();
  await rm(folder, { recursive: true });
});

const randomBytes = (size: number) => {
  const bytes = new Uint8Array(size);
  for (let at = 0; at < size; at += 65_536) getRandomValues(bytes.subarray(at, at + 65_536));
  return bytes;
};
const cookieOf = async (user: UserRow) => sessionCookie((await makeSession(database.db, { userId: user.id })).token);
const upload = (name: string, body: BodyInit, headers: Record<string, string> = { cookie }, at = server) =>
  fetch(`${at.base}/api/files?name=${encodeURIComponent(name)}`, { method: "POST", body, headers });
const uploaded = async (name: string, body: BodyInit): Promise<File> => (await upload(name, body)).json();
const downloadFrom = (
  { base }: LiveServer,
  { id, headers, more = "" }: { id: string; headers: Record<string, string>; more?: string },
) => fetch(`${base}/api/files/${id}${more}`, { headers: { cookie, ...headers } });
const download = (id: string, headers: Record<string, string> = {}, more = "") =>
  downloadFrom(server, { id, headers, more });
const leftovers = () => (existsSync(join(folder, "uploads")) ? readdirSync(join(folder, "uploads")) : []);

describe.each([
  ["a folder", () => server, () => createDiskStore(join(folder, "files"))],
  ["a bucket", () => bucketServer, () => createS3Store(s3Url)],
])("from %s", (_name, serverOf, openStore) => {
  const uploaded = async (name: string, body: BodyInit): Promise<File> =>
    (await upload(name, body, { cookie }, serverOf())).json();
  const download = (id: string, headers: Record<string, string> = {}) => downloadFrom(serverOf(), { id, headers });

  test("a file comes back as it was, under a name in any script, and is nobody else's", async () => {
    const bytes = randomBytes(300_000);

    const file = await uploaded("Entwürfe/計画 – नक्शा 😀 “final”.bin", bytes);
    expect(file).toMatchObject({
      name: "計画 – नक्शा 😀 “final”.bin",
      ...{ size: 300_000, type: "application/octet-stream", width: null, height: null, visibility: null },
      createdBy: asha.id,
    });
    expect(await openStore().has(nameOf(createHash("sha256").update(bytes).digest("hex")))).toBe(true);
    const answer = await download(file.id);
    expect(Buffer.from(await answer.arrayBuffer()).equals(bytes)).toBe(true);
    const disposition = answer.headers.get("content-disposition") ?? "";
    expect(disposition).toMatch(/^attachment; filename="[ -~]+"; filename\*=UTF-8''/);
    expect(decodeURIComponent(disposition.split("''")[1] ?? "")).toBe(file.name);
    const admin = await cookieOf(await makeUser(database.db, { accountType: "admin" }));
    expect((await download(file.id, { cookie: admin })).status).toBe(404);
    expect((await download(randomUUID())).status).toBe(404);
    expect((await download("nonsense")).status).toBe(404);
    expect((await fetch(`${serverOf().base}/api/files/${file.id}`)).status).toBe(401);
  });

  test("parts of it are answered by Range, and what a browser holds is not sent again", async () => {
    const { id } = await uploaded("digits.txt", "0123456789");
    const whole = await download(id);
    const etag = whole.headers.get("etag") ?? "";
    expect(whole.headers.get("cache-control")).toBe("private, no-cache, no-transform");
    expect((await download(id, { "if-none-match": etag })).status).toBe(304);
    const parts: [string, number, string, string | null][] = [
      ["bytes=2-4", 206, "234", "bytes 2-4/10"],
      ["bytes=7-", 206, "789", "bytes 7-9/10"],
      ["bytes=-3", 206, "789", "bytes 7-9/10"],
      ["bytes=5-100", 206, "56789", "bytes 5-9/10"],
      ["bytes=10-", 416, "", "bytes */10"],
      ["bytes=4-2", 200, "0123456789", null],
      ["bytes=0-1,4-5", 200, "0123456789", null],
      ["lines=1-2", 200, "0123456789", null],
    ];
    for (const [range, status, body, contentRange] of parts) {
      const answer = await download(id, { range });
      expect([range, answer.status, await answer.text()]).toEqual([range, status, body]);
      expect(answer.headers.get("content-range")).toBe(contentRange);
    }
    const other = await download(id, { range: "bytes=2-4", "if-range": '"other"' });
    expect([other.status, await other.text()]).toEqual([200, "0123456789"]);
  });
});

test("whoever may not see what a file hangs on is answered as for one that does not exist", async () => {
  const { db } = database;
  const { id } = await uploaded("plan.txt", "A plan");
  const make = (accountType: "user" | "client" | "admin") => makeUser(db, { accountType });
  const [user, outsider] = [await make("user"), await make("user")];
  const [client, otherClient, admin] = [await make("client"), await make("client"), await make("admin")];
  const statuses = async (people: UserRow[]) => {
    const answers = people.map(async (one) => (await download(id, { cookie: await cookieOf(one) })).status);
    return Promise.all(answers);
  };
  const project = await makeProject(db, { createdBy: user.id, clientId: client.id });
  const isIt = eq(files.id, id);
  await db.update(files).set({ projectId: project.id, visibility: "client", attachedAt: new Date() }).where(isIt);
  expect(await statuses([user, client, admin, outsider, otherClient])).toEqual([200, 200, 200, 404, 404]);
  await db.update(files).set({ visibility: "team" }).where(isIt);
  expect(await statuses([user, client])).toEqual([200, 404]);
  await makeConversation(db, { between: [admin.id, client.id], messages: [{ senderId: admin.id }] });
  const [message] = await db.select({ id: messages.id }).from(messages);
  await db
    .update(files)
    .set({ projectId: null, visibility: null, messageId: message?.id ?? null })
    .where(isIt);
  const otherAdmin = await make("admin");
  expect(await statuses([admin, client, otherAdmin, user, otherClient])).toEqual([200, 200, 404, 404, 404]);
});

test("a file that a Mac has named is found by its name, and so is one of before", async () => {
  const { db } = database;
  const file = await uploaded("Mu\u0308ller ハ\u3099ス.pdf", "a");
  expect(file.name).toBe("Müller バス.pdf");
  const { id: projectId } = await makeProject(db, { createdBy: asha.id });
  const caller = await createTestCallers(db).as(asha);
  await caller.files.attach({ subject: { projectId }, fileIds: [file.id], visibility: "team" });
  const find = async (q: string) => (await caller.search.all({ q })).files.map(({ name }) => name);
  expect(await find("Müller")).toEqual([file.name]);
  expect(await find("Mu\u0308ller")).toEqual([file.name]);
  await database.sql`update files set name = normalize(name, NFD) where id = ${file.id}`;
  expect(await find("Müller")).toEqual([]);
  const migration = readdirSync("drizzle").find((name) => name.endsWith("_file_names_composed.sql"));
  await database.sql.unsafe(readFileSync(`drizzle/${migration}`, "utf8"));
  expect(await find("Müller")).toEqual([file.name]);
});

test("it is served so that nothing of it runs, by what its bytes are and not by its name", async () => {
  const page = await uploaded("harmless.png", "<!doctype html><script>alert(1)</script>");
  expect(page.type).toBe("text/plain");
  const answer = await download(page.id);
  expect(answer.headers.get("content-type")).toBe("text/plain; charset=utf-8");
  expect(answer.headers.get("x-content-type-options")).toBe("nosniff");
  expect(answer.headers.get("content-security-policy")).toMatch(/default-src 'none';.*sandbox$/);
  expect((await download(page.id, {}, "?download")).headers.get("content-disposition")).toMatch(/^attachment/);
  const pdf = await uploaded("plan.txt", "%PDF-1.7\n%âãÏÓ\n1 0 obj\n<<>>\nendobj\n");
  expect(pdf.type).toBe("application/pdf");
  expect((await download(pdf.id)).headers.get("content-disposition")).toMatch(/^attachment/);
  expect((await download(pdf.id, {}, "?preview")).headers.get("content-disposition")).toMatch(/^inline/);
  const svg = await uploaded("a.svg", '<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg"><script/></svg>');
  expect((await download(svg.id)).headers.get("content-disposition")).toMatch(/^attachment/);
});

test("an empty file is one; 25 MB are taken, a byte more is refused however it comes", async () => {
  const empty = await uploaded("empty.txt", "");
  expect((await download(empty.id)).headers.get("content-length")).toBe("0");
  expect((await upload("full.bin", Buffer.alloc(MAX_FILE_BYTES))).status).toBe(200);
  const refused = await upload("more.bin", Buffer.alloc(MAX_FILE_BYTES + 1));
  expect([refused.status, await refused.json()]).toEqual([
    413,
    { message: MESSAGES.files.tooLarge, reason: "too-large" },
  ]);
  const chunks = new ReadableStream({
    pull: (controller) => controller.enqueue(new Uint8Array(5_000_000)),
  });
  const init = { method: "POST", body: chunks, headers: { cookie }, duplex: "half" };
  // It answers as soon as it is too much, and reads no more.
  const inParts = await fetch(`${server.base}/api/files?name=more.bin`, init).then(
    ({ status }) => status,
    () => 413,
  );
  expect(inParts).toBe(413);
  expect(leftovers()).toEqual([]);
});

test("an upload that breaks off leaves nothing behind", async () => {
  const before = await database.db.$count(files);
  const call = request(`${server.base}/api/files?name=cut.bin`, {
    method: "POST",
    headers: { cookie, "content-length": "1000000" },
  });
  call.on("error", () => {});
  call.write(Buffer.alloc(400_000));
  await expect.poll(leftovers).toHaveLength(1);
  call.destroy();
  await expect.poll(leftovers).toEqual([]);
  expect(await database.db.$count(files)).toBe(before);
});

test("the quota of the organisation is held, also against uploads at the same time", async () => {
  const used = (await database.db.select({ size: files.size }).from(files)).reduce((sum, { size }) => sum + size, 0);
  const size = Math.floor((60_000_000 - used) / 2) + 1;
  const answers = await Promise.all([upload("a.bin", randomBytes(size)), upload("b.bin", randomBytes(size))]);
  const [won, lost] = answers.sort((a, b) => a.status - b.status);
  expect(won?.status).toBe(200);
  expect([lost?.status, await lost?.json()]).toEqual([
    409,
    { message: MESSAGES.files.quotaExceeded, reason: "quota-exceeded" },
  ]);
  expect(leftovers()).toEqual([]);
});

test.each([
  ["100 files", 100, 5],
  ["500 MB", 20, MAX_FILE_BYTES],
])("%s that one person has attached to nothing are enough, and others still upload", async (_what, count, size) => {
  const { db } = database;
  const [hoarder, other] = [await makeUser(db, { accountType: "client" }), await makeUser(db)];
  const kept = await makeFile(db, { uploadedBy: hoarder.id, size });
  for (let at = 2; at < count; at += 1) await makeFile(db, { uploadedBy: hoarder.id, size });
  // Attached, they are no such ones.
  const { id: projectId } = await makeProject(db, { createdBy: other.id });
  await makeFile(db, { uploadedBy: hoarder.id, size, projectId, visibility: "client" });
  const post = async (user: UserRow) =>
    (await upload("a.txt", "a", { cookie: await cookieOf(user) }, bucketServer)).status;
  expect(await post(hoarder)).toBe(200);
  if (size > 5) await makeFile(db, { uploadedBy: hoarder.id, size: size - 1 });
  const answer = await upload("b.txt", "b", { cookie: await cookieOf(hoarder) }, bucketServer);
  expect([answer.status, await answer.json()]).toEqual([
    409,
    { message: MESSAGES.files.tooManyUnattached, reason: "too-many" },
  ]);
  expect(await post(other)).toBe(200);
  await db.delete(files).where(eq(files.id, kept.id));
  expect(await post(hoarder)).toBe(200);
  await db.delete(files).where(eq(files.uploadedBy, hoarder.id));
});

test("uploads at the same time hold it too", async () => {
  const { db } = database;
  const hoarder = await makeUser(db);
  for (let at = 1; at < 100; at += 1) await makeFile(db, { uploadedBy: hoarder.id });
  const headers = { cookie: await cookieOf(hoarder) };
  const answers = await Promise.all(["a", "b", "c"].map((name) => upload(name, name, headers, bucketServer)));
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409]);
});

test("refusals come in the order of access.md, as plain JSON", async () => {
  expect((await upload("a.txt", "a", {})).status).toBe(401);
  expect((await upload("a.txt", "a", { cookie, origin: "https://evil.example" })).status).toBe(403);
  for (const accountStatus of ["pending", "rejected"] as const) {
    const waiting = await makeUser(database.db, { accountStatus });
    expect((await upload("a.txt", "a", { cookie: await cookieOf(waiting) })).status).toBe(403);
  }
  const caller = await createTestCallers(database.db).as(asha);
  const { key } = await caller.auth.createApiKey({ name: "A script", scope: "read" });
  const byKey = await upload("a.txt", "a", { authorization: `Bearer ${key}` });
  expect([byKey.status, await byKey.json()]).toMatchObject([403, { message: MESSAGES.apiKeys.readsOnly }]);
  for (const name of ["", "  ", "a".repeat(256), "\u0000"]) {
    const answer = await upload(name, "a");
    expect([name.length, answer.status]).toEqual([name.length, 400]);
    expect(await answer.json()).toMatchObject({ message: MESSAGES.general.invalid, fieldErrors: {} });
  }
});
