import { randomUUID } from "node:crypto";
import { getTableColumns, getTableName, is } from "drizzle-orm";
import { PgTable } from "drizzle-orm/pg-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { makeSession, makeUser, type UserRow } from "../../db/factories";
import * as schema from "../../db/schema";
import { vaultOf } from "../core/secrets";
import { createSignedCookies } from "../core/signed-cookies";
import { SecretToken } from "../core/vault";
import { findGrant, setToken } from "../github/token";
import { findSealedByFormerKeys, resealAll, SEALED_COLUMNS } from "../sealed-columns";
import { noteSecrets } from "../system/mutations";
import { findFormerSessions } from "../system/queries";
import { createTestDatabase, type TestDatabase } from "./db";
import { startLiveServer } from "./live-server";
import { SECRET, sessionCookie } from "./session-cookie";

const [FORMER, PRESENT] = [SECRET, "the-secret-that-takes-its-place-from-now-on"];

let database: TestDatabase;
let asha: UserRow;

beforeAll(async () => {
  database = await createTestDatabase();
  asha = await makeUser(database.db, { accountType: "admin" });
});
afterAll(() => database.close());

test("a session that the former secret signed goes on and can be ended, until the former secret is taken away", async () => {
  const start = (oldBetterAuthSecrets: string[]) =>
    startLiveServer({ ...database, secrets: { betterAuthSecret: PRESENT, oldBetterAuthSecrets } });
  const { token } = await makeSession(database.db, { userId: asha.id });
  const cookie = sessionCookie(token);
  const me = async ({ base }: { base: string }) =>
    (await fetch(`${base}/api/trpc/auth.me`, { headers: { cookie } })).text();

  const [overlapping, after] = [await start([FORMER]), await start([])];
  expect(await me(overlapping)).toContain(asha.email);
  expect(await me(after)).toBe('{"result":{"data":{"json":null}}}');
  const signedOut = await fetch(`${overlapping.base}/api/trpc/auth.signOut`, {
    method: "POST",
    headers: { cookie, "content-type": "application/json" },
    body: "{}",
  });
  expect(signedOut.status).toBe(200);
  expect(await database.sql`select from sessions where token = ${token}`).toHaveLength(0);
  await Promise.all([overlapping.close(), after.close()]);
});

test("only cookies that a known secret signed are renewed, and the others stay as they are", () => {
  const signed = sessionCookie("a-token");
  const forged = "sangam.state=value.AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA%3D";
  const headers = new Headers({ cookie: `${signed}; theme=dark; ${forged}; broken=%E0%A4%A` });
  const renewed = createSignedCookies([PRESENT, FORMER]).renew(headers);
  expect(createSignedCookies([PRESENT]).read(renewed, "sangam.session_token")).toBe("a-token");
  expect(renewed.get("cookie")?.split("; ").slice(1)).toEqual(["theme=dark", forged, "broken=%E0%A4%A"]);
  expect(createSignedCookies([PRESENT, FORMER]).read(headers, "sangam.state")).toBeNull();
});

test("what a former key sealed is sealed anew, once by two processes at the same time, and the former key can go", async () => {
  const [former, present] = [`${FORMER}-of-tokens`, `${PRESENT}-of-tokens`];
  const vault = vaultOf({ tokenEncryptionKey: present, oldTokenEncryptionKeys: [former] });
  const by = { id: asha.id, displayName: "Asha", accountType: "admin" as const, accountStatus: "active" as const };
  await setToken(database.db, {
    token: new SecretToken("ghp_of_the_organisation"),
    owners: ["konkan"],
    by,
    vault: vaultOf({ tokenEncryptionKey: former, oldTokenEncryptionKeys: [] }),
    github: { checkToken: async () => "accepted" },
  });
  const sealed = () => database.sql`select sealed, key_id from repository_tokens`;
  const before = await sealed();
  const onlyPresent = vaultOf({ tokenEncryptionKey: present, oldTokenEncryptionKeys: [] });
  expect(await resealAll(database.db, onlyPresent)).toEqual({ resealed: 0, unreadable: ["repository token"] });
  expect(await sealed()).toEqual(before);
  expect(await findSealedByFormerKeys(database.db, vault)).toEqual({ readable: ["repository token"], unreadable: [] });
  expect((await findSealedByFormerKeys(database.db, onlyPresent)).unreadable).toEqual(["repository token"]);

  await Promise.all([resealAll(database.db, vault), resealAll(database.db, vault)]);
  expect(await findSealedByFormerKeys(database.db, vault)).toEqual({ readable: [], unreadable: [] });
  expect((await findGrant(database.db, onlyPresent))?.token.lastFour).toBe("tion");
  const after = await sealed();
  expect(await resealAll(database.db, vault)).toEqual({ resealed: 0, unreadable: [] });
  expect(await sealed()).toEqual(after);
});

test("every table of sealed secrets is sealed anew", () => {
  const tables = Object.values(schema).filter((entry) => is(entry, PgTable));
  const sealing = tables.filter((table) => Object.keys(getTableColumns(table)).some((name) => /keyId$/i.test(name)));
  const names = sealing.map((table) => getTableName(table)).filter((name) => name !== "secret_keys");
  expect(names, "list each in server/sealed-columns.ts").toHaveLength(SEALED_COLUMNS.length);
});

test("the sessions that still need the former secret are counted, with the end of the last", async () => {
  await database.sql`delete from sessions`;
  await makeSession(database.db, { userId: asha.id });
  await noteSecrets(database.db, { betterAuthSecret: PRESENT, tokenEncryptionKey: PRESENT });
  await makeSession(database.db, { userId: asha.id, token: `later-${randomUUID()}` });
  await noteSecrets(database.db, { betterAuthSecret: PRESENT, tokenEncryptionKey: PRESENT });
  expect(await findFormerSessions(database.db, { betterAuthSecret: PRESENT })).toEqual({
    count: 1,
    until: expect.stringMatching(/^\d{4}-/),
  });
  expect(await findFormerSessions(database.db, { betterAuthSecret: FORMER })).toEqual({ count: 0, until: null });
});
