import { createHash } from "node:crypto";
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { buffer, text } from "node:stream/consumers";
import { eq, inArray, isNotNull, isNull } from "drizzle-orm";
import S3rver from "s3rver";
import sharp from "sharp";
import { afterAll, beforeAll, expect, test } from "vitest";
import { makeProject, makeSession, makeTask, makeUser, type UserRow } from "../../../db/factories";
import { files, userPhotos, users } from "../../../db/schema";
import type { File } from "../../contract/views";
import { createDiskStore } from "../../files/disk-store";
import { type FileStore, nameOf } from "../../files/store";
import { createTestCallers } from "../../test/caller";
import { createTestDatabase, type TestDatabase } from "../../test/db";
import { intakeBelow } from "../../test/import-file";
import { openStore, runKilledImport } from "../../test/killed-import";
import { type LiveServer, startLiveServer } from "../../test/live-server";
import { sessionCookie } from "../../test/session-cookie";
import { createArchive, openArchive, writeWhole } from "../archive";
import { runExportCommand } from "../export/command";
import { runImportCommand } from "./command";

let origin: TestDatabase;
let folder: string;
let people: Record<"asha" | "rohan" | "meera" | "outsider", UserRow>;
let projectId: string;
let taskId: string;
let conversationId: string;
let requestId: string;
let photoId: string;

const HOME = "origin";
const TRACE = "<GPSLatitude>18,31.2N</GPSLatitude>";
const subjects = () => [{ projectId }, { taskId }];
const photo = () => {
  const drawn = sharp({ create: { width: 60, height: 30, channels: 3, background: "teal" } });
  return drawn.withXmp(`<x:xmpmeta xmlns:x="adobe:ns:meta/">${TRACE}</x:xmpmeta>`).jpeg().toBuffer();
};

beforeAll(async () => {
  origin = await createTestDatabase();
  folder = await mkdtemp(join(tmpdir(), "sangam-import-files-"));
  const { db } = origin;
  people = {
    asha: await makeUser(db, { name: "Asha", accountType: "admin" }),
    rohan: await makeUser(db, { name: "Rohan" }),
    meera: await makeUser(db, { name: "Meera", accountType: "client" }),
    outsider: await makeUser(db, { name: "Outsider" }),
  };
  const { asha, rohan, meera } = people;
  const project = { createdBy: rohan.id, clientId: meera.id, clientCollaboration: true };
  ({ id: projectId } = await makeProject(db, { ...project, assignedTo: [rohan.id, asha.id] }));
  ({ id: taskId } = await makeTask(db, { projectId, createdBy: rohan.id }));
  await fill();
});
afterAll(async () => {
  await origin.close();
  await rm(folder, { recursive: true });
});

/** Files of every kind in every place, as people upload them. */
async function fill(): Promise<void> {
  const server = await startLiveServer({ ...origin, env: { dataDir: join(folder, HOME) } });
  const callers = createTestCallers(origin.db);
  const upload = async (by: UserRow, name: string, body: BodyInit): Promise<string> => {
    const cookie = sessionCookie((await makeSession(origin.db, { userId: by.id })).token);
    const address = `${server.base}/api/files?name=${encodeURIComponent(name)}`;
    const file: File = await (await fetch(address, { method: "POST", body, headers: { cookie } })).json();
    return file.id;
  };
  const { asha, rohan, meera } = people;
  const [byRohan, byMeera, byAsha] = [await callers.as(rohan), await callers.as(meera), await callers.as(asha)];
  const key = () => ({ clientCommentId: crypto.randomUUID() });
  const picture = new Uint8Array(await photo());
  const forTask = [await upload(rohan, "plan.txt", "The plan"), await upload(rohan, "नक्शा.jpg", picture)];
  await byRohan.files.attach({ subject: { taskId }, fileIds: forTask, visibility: "client" });
  await byRohan.files.attach({
    ...{ subject: { taskId }, visibility: "team" },
    fileIds: [await upload(rohan, "ours.txt", "For the team")],
  });
  await byMeera.files.attach({
    ...{ subject: { projectId }, visibility: "client" },
    fileIds: [await upload(meera, "wish.bin", new Uint8Array([0, 1, 2]))],
  });
  await byRohan.comments.create({
    ...{ subject: { taskId }, text: "Two files", visibility: "team", ...key() },
    fileIds: [await upload(rohan, "b.txt", "second name, first place"), await upload(rohan, "a.txt", "a")],
  });
  await byMeera.comments.create({
    ...{ subject: { projectId }, text: "One file", visibility: "client", ...key() },
    fileIds: [await upload(meera, "again.txt", "The plan")],
  });
  const request = { projectId, title: "A third berth", text: "As drawn", urgency: "normal" } as const;
  ({ id: requestId } = await byMeera.requests.create({
    ...request,
    fileIds: [await upload(meera, "drawn.txt", "A berth"), await upload(meera, "also drawn.txt", "Its gate")],
  }));
  const sent = { text: "See the file", clientMessageId: crypto.randomUUID() };
  const { conversation } = await byAsha.chat.start({
    ...{ recipientId: meera.id, ...sent },
    fileIds: [await upload(asha, "offer.txt", "An offer")],
  });
  conversationId = conversation.id;
  photoId = await upload(meera, "me.jpg", picture);
  await byMeera.users.setPhoto({ fileId: photoId });
  await upload(rohan, "never attached.txt", "draft");
  await server.close();
  const exported = await runExportCommand({
    ...{ args: ["all.zip"], folder, connection: origin.connection },
    store: createDiskStore(join(folder, HOME, "files")),
  });
  expect(exported).toMatchObject({ ok: true });
}

interface Target {
  database: TestDatabase;
  home: string;
  run(...args: string[]): Promise<{ ok: boolean; sentence: string }>;
  /** With what the report lists. */
  report(...args: string[]): Promise<{ imported: Record<string, number>; unmatched: object[]; changed: object[] }>;
}

/** An empty organisation to import into. */
async function withTarget(
  work: (target: Target) => Promise<void>,
  options?: { quotaBytes?: number; store?: FileStore },
): Promise<void> {
  const database = await createTestDatabase();
  const home = await mkdtemp(join(folder, "target-"));
  const run: Target["run"] = (...args) =>
    runImportCommand({
      ...{ args, folder, connection: database.connection, show: () => {}, ask: null, timeZone: "UTC" },
      intake: intakeBelow(home, options),
    });
  const report: Target["report"] = async (...args) => {
    const path = join(home, "report.json");
    expect(await run(...args, "--report", path)).toMatchObject({ ok: true });
    return JSON.parse(await readFile(path, "utf8"));
  };
  try {
    await work({ database, home, run, report });
  } finally {
    await database.close();
  }
}

/** What each person sees of files and has of their bytes. */
async function seenByAll({ database, home }: { database: TestDatabase; home: string }) {
  const server = await startLiveServer({ ...database, env: { dataDir: join(folder, home) } });
  const seen: Awaited<ReturnType<typeof seenBy>>[] = [];
  for (const person of Object.values(people)) seen.push(await seenBy(person, { database, server }));
  await server.close();
  return seen;
}

async function seenBy(person: UserRow, { database, server }: { database: TestDatabase; server: LiveServer }) {
  const caller = await createTestCallers(database.db).as(person);
  const headers = { cookie: sessionCookie((await makeSession(database.db, { userId: person.id })).token) };
  const fetched = async (path: string) => {
    const answer = await fetch(`${server.base}${path}`, { headers });
    const bytes = answer.ok ? Buffer.from(await answer.arrayBuffer()).toString("base64") : null;
    return [path, answer.status, answer.headers.get("content-type"), answer.headers.get("content-disposition"), bytes];
  };
  const ids = (await origin.db.select({ id: files.id }).from(files).orderBy(files.id)).map(({ id }) => id);
  const refused = () => null;
  return {
    lists: await Promise.all(subjects().map((subject) => caller.files.list({ subject }).catch(refused))),
    comments: await Promise.all(
      subjects().map((subject) =>
        caller.comments.list({ subject }).then(({ items }) => items.map((one) => [one.id, one.files]), refused),
      ),
    ),
    request: await caller.requests.byId({ requestId }).then((one) => one.files, refused),
    messages: await caller.chat
      .messages({ conversationId })
      .then(({ items }) => items.map((one) => [one.id, one.files]), refused),
    bytes: await Promise.all(ids.flatMap((id) => [`/api/files/${id}`, `/api/files/${id}/thumbnail`]).map(fetched)),
    photo: await fetched(`/api/photos/${photoId}`),
  };
}

test("what was exported and imported into an empty organisation, each role sees as it was, to the last byte", async () => {
  await origin.db.delete(files).where(isNull(files.attachedAt));
  await withTarget(async ({ database, home, report }) => {
    const dryRun = await report("all.zip", "--dry-run");
    expect(await database.db.$count(files)).toBe(0);
    expect(await readdir(home)).not.toContain("files");
    const result = await report("all.zip");
    expect(result).toEqual(dryRun);
    expect(result).toMatchObject({ imported: { files: 11, requests: 1 }, unmatched: [], changed: [] });
    const before = await seenByAll({ database: origin, home: HOME });
    expect(await seenByAll({ database, home: home.slice(folder.length + 1) })).toEqual(before);
    const [exported, imported] = await Promise.all(
      [origin, database].map(({ db }) => db.select().from(files).orderBy(files.id)),
    );
    expect(imported).toEqual(exported);
    const again = await report("all.zip");
    expect(again).toMatchObject({ unmatched: [], changed: [] });
    expect(again.imported.files).toBeUndefined();
    expect(await readdir(join(home, "uploads"))).toEqual([]);
  });
});

test("an import that ends in the midst of the files is completed by the next one", async () => {
  await withTarget(async ({ database, run, report }) => {
    await report("all.zip");
    const some = (await database.db.select({ id: files.id }).from(files).orderBy(files.id)).slice(3);
    await database.db.delete(files).where(
      inArray(
        files.id,
        some.map(({ id }) => id),
      ),
    );
    expect(await report("all.zip")).toMatchObject({ imported: { files: 8, messages: 0 }, unmatched: [] });
    // Ended by its connection, at any moment of it.
    await database.db.update(users).set({ profileImgLink: null });
    for (let round = 0; round < 2; round += 1) {
      await database.db.delete(files);
      const end = async () => {
        await new Promise((resolve) => setTimeout(resolve, 200 * round + Math.random() * 200));
        await database.sql`select pg_terminate_backend(pid) from pg_locks join pg_database on pg_database.oid = database
          where locktype = 'advisory' and objid = 467678 and datname = current_database()`;
      };
      await Promise.all([run("all.zip"), end()]);
    }
    await run("all.zip");
    expect(await database.db.$count(files)).toBe(11);
    expect(await database.db.$count(userPhotos)).toBe(1);
    const [meera] = await database.db.select().from(users).where(eq(users.id, people.meera.id));
    expect(meera?.profileImgLink).toBe(`/api/photos/${photoId}`);
  });
});

// Whose bytes are still on the way, and whose are sent and not answered yet.
test.each([
  ["a folder", "before"],
  ["a bucket", "during"],
] as const)(
  "an import into %s that is killed in the midst of a file is completed by the next one",
  async (kind, moment) => {
    const bucket = new S3rver({
      ...{ port: 0, address: "127.0.0.1", silent: true, directory: join(folder, "s3") },
      configureBuckets: [{ name: "firm", configs: [] }],
    });
    const { port } = await bucket.run();
    const place = kind === "a bucket" ? `http://S3RVER:S3RVER@127.0.0.1:${port}/firm` : join(folder, "killed");
    const store = openStore(place);
    await withTarget(
      async ({ database, home, report }) => {
        const { connection } = database;
        const killed = { connection, folder, file: "all.zip", home, store: place, at: 4, moment };
        expect(await runKilledImport(killed)).toBe("SIGKILL");
        expect(await database.db.$count(files)).toBeGreaterThan(0);
        expect(await readdir(join(home, "uploads"))).not.toEqual([]);
        expect(await report("all.zip")).toMatchObject({ unmatched: [], changed: [] });
        const rows = await database.db.select().from(files).orderBy(files.id);
        expect(rows).toEqual(await origin.db.select().from(files).where(isNotNull(files.attachedAt)).orderBy(files.id));
        const names: string[] = [];
        for await (const { name } of store.list()) {
          names.push(name);
          const opened = await store.open(name);
          const bytes = createHash("sha256").update(opened ? await buffer(opened.content) : "");
          expect(nameOf(bytes.digest("hex"))).toBe(name);
        }
        const hashes = new Set(
          rows.flatMap(({ hash, thumbnailHash }) => [hash, ...(thumbnailHash ? [thumbnailHash] : [])]),
        );
        expect(names.sort()).toEqual([...hashes].map(nameOf).sort());
        expect(await readdir(join(home, "uploads"))).toEqual([]);
      },
      { store },
    ).finally(() => bucket.close());
  },
);

test("what the quota has no room for stays out and is named, as the dry run says", async () => {
  await withTarget(
    async ({ database, report }) => {
      const dryRun = await report("all.zip", "--dry-run");
      expect(await report("all.zip")).toEqual(dryRun);
      const left = dryRun.unmatched.length;
      expect(left).toBeGreaterThan(0);
      expect(dryRun.imported.files).toBe(11 - left);
      expect(dryRun.unmatched[0]).toMatchObject({
        kind: "file",
        field: "path",
        text: expect.stringContaining("QUOTA"),
      });
      expect(await database.db.$count(files)).toBe(11 - left);
    },
    { quotaBytes: 100 },
  );
});

/** The export with other bytes, or other things said of a file. */
async function rewritten(name: string, change: (said: Record<string, Said>) => Record<string, Buffer>): Promise<void> {
  const archive = await openArchive(join(folder, "all.zip"));
  const document: { files: Record<string, Said> } = JSON.parse(await text(await archive.read("sangam.json")));
  const replaced = change(document.files);
  const content = createArchive(async (writer) => {
    await writer.add("sangam.json", JSON.stringify(document));
    for (const [path, bytes] of Object.entries(replaced)) await writer.add(path, Readable.from([bytes]));
    for (const path of archive.names) {
      if (path.startsWith("files/") && !(path in replaced)) await writer.add(path, await archive.read(path));
    }
  });
  await writeWhole(join(folder, name), content);
  archive.close();
}
type Said = Record<string, unknown> & { name: string; path: string };

test("what is too large, damaged, missing or hangs on nothing is named, and the rest comes", async () => {
  await rewritten("odd.zip", (said) => {
    const of = (name: string): Said => Object.values(said).find((file) => file.name === name) ?? { name, path: "" };
    of("offer.txt").path = "files/large";
    of("ours.txt").path = "files/nowhere";
    of("plan.txt").taskId = "elsewhere";
    // Behind the picture of that person, which comes: that it hangs on two things is still what is wrong with it.
    const wish = of("wish.bin");
    const [wishId = ""] = Object.entries(said).find(([, file]) => file === wish) ?? [];
    delete said[wishId];
    said[wishId] = { ...wish, photoOf: people.meera.id };
    of("also drawn.txt").requestId = "elsewhere";
    of("me.jpg").uploadedBy = "somebody";
    const damaged = of("a.txt").path;
    const large = Buffer.alloc(25_000_001, "a");
    return { "files/large": large, [damaged]: Buffer.from("other bytes") };
  });
  await withTarget(async ({ database, report }) => {
    const dryRun = await report("odd.zip", "--dry-run");
    const result = await report("odd.zip");
    expect(result).toEqual(dryRun);
    expect(result.imported.files).toBe(5);
    const said = (result.unmatched as { text: string }[]).map(({ text: one }) => one.replace(/^.*, as /, "")).sort();
    expect(said).toEqual([
      "a file may have 25 MB at most.",
      "it has to hang on one thing.",
      "its bytes are not in the zip.",
      "its bytes in the zip are damaged.",
      "that request is not there.",
      "that task is not there.",
    ]);
    expect(result.changed).toMatchObject([{ kind: "file", field: "uploadedBy", to: people.asha.id }]);
    expect(await database.db.$count(files)).toBe(5);
  });
});

test("a picture that another program has put into the zip loses where it was taken, and is named as an upload; a team comment's file stays the team's", async () => {
  const bytes = await photo();
  await rewritten("foreign.zip", (said) => {
    for (const file of Object.values(said)) {
      file.visibility = "client";
      if (file.name === "नक्शा.jpg") Object.assign(file, { path: "mine.jpg", name: "Mu\u0308hle.jpg" });
    }
    return { "mine.jpg": Buffer.from(bytes) };
  });
  const archive = await openArchive(join(folder, "foreign.zip"));
  expect(archive.names.has("mine.jpg")).toBe(true);
  archive.close();
  await withTarget(async ({ database, home, report }) => {
    await report("foreign.zip");
    const rows = await database.db.select().from(files);
    const of = (name: string) => rows.find((file) => file.name === name);
    expect(of("b.txt")?.visibility).toBe("team");
    const kept = await readFile(join(home, "files", nameOf(of("Mühle.jpg")?.hash ?? "")));
    expect(bytes.includes(TRACE)).toBe(true);
    expect(kept.includes(TRACE)).toBe(false);
  });
});

test("files are not put where another database's are, and a file without its zip has none", async () => {
  await withTarget(async ({ database, home, run, report }) => {
    const document = join(folder, "sangam.json");
    const archive = await openArchive(join(folder, "all.zip"));
    await writeFile(document, await text(await archive.read("sangam.json")));
    archive.close();
    const { unmatched, imported } = await report(document);
    expect(imported.files).toBeUndefined();
    expect(unmatched).toHaveLength(11);
    await createDiskStore(join(home, "files")).writeMarker("another");
    expect(await run("all.zip")).toMatchObject({ ok: false, sentence: expect.stringContaining("another database") });
    expect(await database.db.$count(files)).toBe(0);
  });
});
