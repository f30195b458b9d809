import { eq } from "drizzle-orm";
import { afterAll, beforeAll, expect, test } from "vitest";
import { makeSession, makeUser, type UserRow } from "../../db/factories";
import { files, userPhotos, users } from "../../db/schema";
import { PHOTO_PATH } from "../contract/profiles";
import type { File } from "../contract/views";
import { createTestCallers, refusal, type TestCallers } from "../test/caller";
import { createTestDatabase, type TestDatabase } from "../test/db";
import { type LiveServer, startLiveServer } from "../test/live-server";
import { sessionCookie } from "../test/session-cookie";

/** One dark pixel. */
const PIXEL = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==",
  "base64",
);

let database: TestDatabase;
let server: LiveServer;
let callers: TestCallers;

beforeAll(async () => {
  database = await createTestDatabase();
  server = await startLiveServer(database);
  callers = createTestCallers(database.db);
});
afterAll(async () => {
  await server.close();
  await database.close();
});

test("an uploaded picture is shown to everybody who is signed in, until another one takes its place", async () => {
  const [asha, meera] = [await makeUser(database.db), await makeUser(database.db, { accountType: "client" })];
  const caller = await callers.as(asha);
  const first = await upload(asha);
  await caller.users.setPhoto({ fileId: first.id });
  await caller.users.setPhoto({ fileId: first.id });
  expect((await caller.auth.me())?.profileImgLink).toBe(PHOTO_PATH + first.id);

  const shown = await ask(PHOTO_PATH + first.id, meera);
  expect(shown.status).toBe(200);
  expect(shown.headers.get("content-type")).toMatch(/^image\//);
  expect(shown.headers.get("cache-control")).toBe("private, max-age=86400");
  const etag = shown.headers.get("etag") ?? "";
  expect((await ask(PHOTO_PATH + first.id, meera, { "if-none-match": etag })).status).toBe(304);
  expect((await ask(PHOTO_PATH + first.id, null)).status).toBe(401);

  const second = await upload(asha);
  await caller.users.setPhoto({ fileId: second.id });
  expect((await ask(PHOTO_PATH + first.id, meera)).status).toBe(404);
  expect((await ask(PHOTO_PATH + second.id, meera)).status).toBe(200);
  await caller.users.setPhoto({ fileId: null });
  expect((await ask(PHOTO_PATH + second.id, meera)).status).toBe(404);
  expect((await caller.auth.me())?.profileImgLink).toBeNull();
  expect(await database.db.$count(files, eq(files.uploadedBy, asha.id))).toBe(0);
});

test("a picture is one's own upload that shows a picture and hangs on nothing else", async () => {
  const [asha, rohan] = [await makeUser(database.db), await makeUser(database.db)];
  const caller = await callers.as(asha);
  const set = async (fileId: string) => (await refusal(caller.users.setPhoto({ fileId }))).code;
  expect(await set((await upload(rohan)).id)).toBe("NOT_FOUND");
  expect(await set(crypto.randomUUID())).toBe("NOT_FOUND");
  const text = await upload(asha, Buffer.from("no picture"));
  const refused = await refusal(caller.users.setPhoto({ fileId: text.id }));
  expect(refused.fieldErrors?.fileId?.[0]).toMatch(/^Choose a picture/);
  const rohans = await upload(rohan);
  await (await callers.as(rohan)).users.setPhoto({ fileId: rohans.id });
  expect(await set(rohans.id)).toBe("NOT_FOUND");
  const attached = await upload(asha);
  await database.db.update(files).set({ attachedAt: new Date() }).where(eq(files.id, attached.id));
  expect(await set(attached.id)).toBe("CONFLICT");
  expect((await ask(PHOTO_PATH + attached.id, rohan)).status).toBe(404);
  expect((await ask(`${PHOTO_PATH}no-id`, asha)).status).toBe(404);
});

test("of a new picture and a profile that is saved without or with the present one the later wins, and its file is there", async () => {
  for (let round = 0; round < 8; round += 1) {
    const asha = await makeUser(database.db);
    const caller = await callers.as(asha);
    const [first, second] = [await upload(asha), await upload(asha)];
    await caller.users.setPhoto({ fileId: first.id });
    const saved = round % 2 ? null : PHOTO_PATH + first.id;
    const answers = await Promise.allSettled([
      caller.users.updateProfile({ profileImgLink: saved }),
      caller.users.setPhoto({ fileId: second.id }),
      caller.users.updateProfile({ profileImgLink: saved }),
    ]);
    const failures = answers.flatMap((answer) => (answer.status === "rejected" ? [answer.reason.code] : []));
    expect(failures.filter((code) => code !== "BAD_REQUEST")).toEqual([]);
    const link = (await caller.auth.me())?.profileImgLink ?? null;
    const present = await database.db.select().from(userPhotos).where(eq(userPhotos.userId, asha.id));
    expect(present.map(({ fileId }) => PHOTO_PATH + fileId)).toEqual(link === null ? [] : [link]);
  }
});

test("a link to another host is shown to nobody, and its person is told once", async () => {
  const [asha, rohan] = [await makeUser(database.db), await makeUser(database.db)];
  await database.db.update(users).set({ profileImgLink: "https://a.example/me.png" }).where(eq(users.id, asha.id));
  const [people] = [await (await callers.as(rohan)).users.assignable()];
  expect(people.find(({ id }) => id === asha.id)?.profileImgLink).toBeNull();
  const caller = await callers.as(asha);
  expect(await caller.auth.me()).toMatchObject({ profileImgLink: null, hasLostPicture: true });
  await caller.users.setPhoto({ fileId: null });
  expect(await caller.auth.me()).toMatchObject({ profileImgLink: null, hasLostPicture: false });
});

test("with their person a picture is erased", async () => {
  const [asha, rohan] = [await makeUser(database.db, { accountType: "admin" }), await makeUser(database.db)];
  await (await callers.as(rohan)).users.setPhoto({ fileId: (await upload(rohan)).id });
  await (await callers.as(asha)).users.erasePerson({ userId: rohan.id });
  expect(await database.db.$count(userPhotos, eq(userPhotos.userId, rohan.id))).toBe(0);
  expect(await database.db.$count(files, eq(files.uploadedBy, rohan.id))).toBe(0);
});

async function upload(person: UserRow, bytes: Buffer = PIXEL): Promise<File> {
  const answer = await ask("/api/files?name=me.png", person, {}, bytes);
  expect(answer.status).toBe(200);
  return answer.json();
}

async function ask(
  path: string,
  person: UserRow | null,
  headers: Record<string, string> = {},
  body?: Buffer,
): Promise<Response> {
  const cookie = person && sessionCookie((await makeSession(database.db, { userId: person.id })).token);
  const all = { ...(cookie && { cookie }), ...headers };
  return fetch(
    `${server.base}${path}`,
    body ? { method: "POST", body: new Uint8Array(body), headers: all } : { headers: all },
  );
}
