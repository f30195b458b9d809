import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { makeUser, type UserRow } from "../../db/factories";
import { MESSAGES } from "../contract/messages";
import type { Actor } from "../core/context";
import { createVault, SecretToken } from "../core/vault";
import { createTestCallers, refusal, type TestCaller, testVault } from "../test/caller";
import { createTestDatabase, type TestDatabase } from "../test/db";
import { findGrant, setOwners, setToken } from "./token";

const TOKEN = "ghp_0123456789abcdefABCDEF";

let database: TestDatabase;
let asha: UserRow;
let admin: TestCaller;
let client: TestCaller;
/** Last fours that GitHub was asked about. */
const asked: string[] = [];
/** Runs while GitHub is asked. */
let meanwhile: () => Promise<unknown> = async () => {};

beforeAll(async () => {
  database = await createTestDatabase();
  const callers = createTestCallers(database.db, {
    github: {
      async checkToken({ lastFour }) {
        asked.push(lastFour);
        await meanwhile();
        return lastFour === "DEAD" ? "refused" : lastFour === "LATE" ? "unanswered" : "accepted";
      },
    },
  });
  asha = await makeUser(database.db, { accountType: "admin", name: "Asha Kulkarni" });
  const meera = await makeUser(database.db, { accountType: "client" });
  [admin, client] = await Promise.all([callers.as(asha), callers.as(meera)]);
});
beforeEach(async () => {
  await database.sql`delete from repository_tokens`;
  await database.sql`delete from audit_events`;
  asked.length = 0;
  meanwhile = async () => {};
});
afterAll(() => database.close());

test("a token is shown as its last four, with its owners and who set it, and is replaced and removed", async () => {
  expect(await admin.github.tokenStatus()).toMatchObject({
    configured: false,
    lastFour: null,
    owners: [],
    setBy: null,
  });
  const set = await admin.github.setToken({ token: ` ${TOKEN} `, owners: ["Konkan", "konkan", "Sangam-Software"] });
  expect(set).toMatchObject({
    configured: true,
    lastFour: "CDEF",
    owners: ["konkan", "sangam-software"],
    setBy: { name: "Asha Kulkarni" },
    setAt: expect.any(String),
    lastResult: "accepted",
  });
  expect(await admin.github.tokenStatus()).toEqual(set);
  expect(await client.github.commits()).toMatchObject({ tokenConfigured: true });
  expect(await admin.github.setToken({ token: "ghp_another_one_0000", owners: ["konkan"] })).toMatchObject({
    lastFour: "0000",
  });
  expect(await admin.github.removeToken()).toMatchObject({ configured: false });
  expect(await admin.github.removeToken()).toMatchObject({ configured: false });
  const audit =
    await database.sql`select kind, details from audit_events where kind like 'repository-token%' order by id`;
  expect(audit.map(({ kind, details }) => [kind, details])).toEqual([
    ["repository-token.set", { owners: "konkan, sangam-software", replaced: false }],
    ["repository-token.set", { owners: "konkan", replaced: true }],
    ["repository-token.removed", {}],
  ]);
});

test("a token that GitHub refuses, or cannot be asked about, is not taken: the old one stays", async () => {
  await admin.github.setToken({ token: TOKEN, owners: ["konkan"] });
  expect(await refusal(admin.github.setToken({ token: "ghp_wrong_DEAD", owners: ["konkan"] }))).toEqual({
    code: "BAD_REQUEST",
    message: MESSAGES.general.invalid,
    fieldErrors: { token: [MESSAGES.github.tokenRefused] },
  });
  expect(await refusal(admin.github.setToken({ token: "ghp_later_LATE", owners: ["konkan"] }))).toEqual({
    code: "SERVICE_UNAVAILABLE",
    message: MESSAGES.github.tokenUnchecked,
  });
  expect(await admin.github.tokenStatus()).toMatchObject({ lastFour: "CDEF" });
  expect((await findGrant(database.db, testVault))?.token.reveal()).toBe(TOKEN);
});

test.each([
  [{ owners: ["konkan"] }, "token"],
  [{ token: "", owners: ["konkan"] }, "token"],
  [{ token: "short", owners: ["konkan"] }, "token"],
  [{ token: "with space inside", owners: ["konkan"] }, "token"],
  [{ token: "ghp_über_the_top", owners: ["konkan"] }, "token"],
  [{ token: TOKEN, owners: [] }, "owners"],
  [{ token: TOKEN, owners: ["konkan/harbour"] }, "owners.0"],
  [{ token: TOKEN, owners: ["konkan", "-x"] }, "owners.1"],
  [{ token: TOKEN, owners: Array.from({ length: 51 }, (_, at) => `owner${at}`) }, "owners"],
])("%j is refused at its field", async (input, field) => {
  const { code, fieldErrors } = await refusal(admin.github.setToken(input));
  expect(code).toBe("BAD_REQUEST");
  expect(Object.keys(fieldErrors ?? {})).toEqual([field]);
  expect(JSON.stringify(fieldErrors)).not.toContain(TOKEN);
});

test("a token opens with its own key and owners only, and outlives a change of the key", async () => {
  await admin.github.setToken({ token: TOKEN, owners: ["konkan"] });
  const [one, two] = ["the-first-key-that-is-long-enough-0", "the-second-key-that-is-long-enough-"];
  const by: Actor = { id: asha.id, displayName: "", accountType: "admin", accountStatus: "active" };
  const github = { checkToken: async () => "accepted" as const };
  const given = { token: new SecretToken(TOKEN), owners: ["konkan"], by, github };
  await setToken(database.db, { ...given, vault: createVault([one]) });
  const sealed = async () => (await database.sql`select sealed, key_id from repository_tokens`)[0];
  const before = await sealed();
  expect((await findGrant(database.db, createVault([two, one])))?.token.reveal()).toBe(TOKEN);
  // Encrypted anew: the old key may go.
  expect((await sealed())?.key_id).not.toBe(before?.key_id);
  expect((await findGrant(database.db, createVault([two])))?.token.reveal()).toBe(TOKEN);
  expect(await findGrant(database.db, createVault([one]))).toBeNull();
  expect(await admin.github.tokenStatus()).toMatchObject({ configured: true, lastResult: "unreadable" });
  await database.sql`update repository_tokens set owners = '["konkan", "somebody"]'`;
  expect(await findGrant(database.db, createVault([two]))).toBeNull();
});

test("of two admins at once the later one's stands, whole", async () => {
  const set = (token: string, owner: string) => admin.github.setToken({ token, owners: [owner] });
  await Promise.all([set("ghp_one_of_them_1111", "one"), set("ghp_one_of_them_2222", "two")]);
  const { lastFour, owners } = await admin.github.tokenStatus();
  expect([
    ["1111", "one"],
    ["2222", "two"],
  ]).toContainEqual([lastFour, owners[0]]);
  expect((await findGrant(database.db, testVault))?.token.lastFour).toBe(lastFour);
});

test("owners that two admins change at once keep both changes, in either order, also with a new token", async () => {
  const began = { ownersBefore: ["harbour", "konkan"] };
  const changes = [
    { ...began, owners: ["harbour", "konkan", "mine"] },
    { ...began, owners: ["konkan", "theirs"], token: TOKEN },
  ];
  for (const order of [changes, changes.toReversed()]) {
    await admin.github.setToken({ token: TOKEN, owners: began.ownersBefore });
    for (const change of order) await admin.github.setToken(change);
    expect(await findGrant(database.db, testVault)).toMatchObject({ owners: ["konkan", "mine", "theirs"] });
  }
  // Together they would leave none.
  await admin.github.setToken({ token: TOKEN, owners: ["harbour", "konkan"] });
  await admin.github.setToken({ ...began, owners: ["konkan"] });
  const rest = admin.github.setToken({ ...began, owners: ["harbour"] });
  expect(await refusal(rest)).toMatchObject({ code: "CONFLICT", reason: "stale-version" });
  expect(await admin.github.tokenStatus()).toMatchObject({ owners: ["konkan"] });
});

const audit = async () =>
  (await database.sql`select kind, details from audit_events order by id`).map(({ kind, details }) => [kind, details]);

test("the owners of a token are changed without entering it again, once GitHub still takes it, and the audit says so", async () => {
  const before = await admin.github.setToken({ token: TOKEN, owners: ["konkan"] });
  const after = await admin.github.setToken({ owners: ["Sangam-Software", "konkan"] });
  expect(after).toEqual({ ...before, owners: ["konkan", "sangam-software"] });
  expect(asked).toEqual(["CDEF", "CDEF"]);
  expect(await findGrant(database.db, testVault)).toMatchObject({ owners: ["konkan", "sangam-software"] });
  expect((await findGrant(database.db, testVault))?.token.reveal()).toBe(TOKEN);
  expect((await audit()).at(-1)).toEqual([
    "repository-token.owners-set",
    { owners: "konkan, sangam-software", before: "konkan" },
  ]);
});

test("an owner is taken away although GitHub is silent or takes the token no longer, and is not given back so", async () => {
  for (const [token, refused] of [
    ["ghp_of_yesterday_DEAD", { code: "BAD_REQUEST", fieldErrors: { token: [MESSAGES.github.tokenRefused] } }],
    ["ghp_of_yesterday_LATE", { code: "SERVICE_UNAVAILABLE", message: MESSAGES.github.tokenUnchecked }],
  ] as const) {
    await admin.github.setToken({ token: TOKEN, owners: ["konkan", "somebody"] });
    const sealed = testVault.seal(new SecretToken(token), "repository token of the organisation for konkan,somebody");
    await database.sql`update repository_tokens set sealed = ${sealed.sealed}`;
    expect(await admin.github.setToken({ owners: ["konkan"] })).toMatchObject({ owners: ["konkan"] });
    expect(await refusal(admin.github.setToken({ owners: ["konkan", "somebody"] }))).toMatchObject(refused);
    expect(await admin.github.tokenStatus()).toMatchObject({
      owners: ["konkan"],
      lastResult: token.endsWith("DEAD") ? "refused" : "accepted",
    });
  }
});

test("a token that cannot be decrypted any more has to be entered again, and is well once its key is back", async () => {
  await admin.github.setToken({ token: TOKEN, owners: ["konkan"] });
  await database.sql`update repository_tokens set key_id = 'lost-' || key_id`;
  const { fieldErrors } = await refusal(admin.github.setToken({ owners: ["somebody"] }));
  expect(fieldErrors).toEqual({ token: [MESSAGES.github.tokenUnreadable] });
  expect(await admin.github.tokenStatus()).toMatchObject({ owners: ["konkan"], lastResult: "unreadable" });
  await database.sql`update repository_tokens set key_id = substr(key_id, 6)`;
  expect((await findGrant(database.db, testVault))?.token.reveal()).toBe(TOKEN);
  expect(await admin.github.tokenStatus()).toMatchObject({ lastResult: "accepted" });
});

test("owners meant for one token are never given to another that was set, or to none, meanwhile", async () => {
  await admin.github.setToken({ token: TOKEN, owners: ["konkan"] });
  const by: Actor = { id: asha.id, displayName: "", accountType: "admin", accountStatus: "active" };
  const other = { token: new SecretToken("ghp_another_one_0000"), owners: ["konkan"] };
  const accepting = { by, vault: testVault, github: { checkToken: async () => "accepted" as const } };
  meanwhile = () => setToken(database.db, { ...other, ...accepting });
  expect(await refusal(admin.github.setToken({ owners: ["konkan", "somebody"] }))).toEqual({
    code: "CONFLICT",
    message: MESSAGES.general.changedMeanwhile("The repository token"),
    reason: "stale-version",
  });
  expect(await admin.github.tokenStatus()).toMatchObject({ lastFour: "0000", owners: ["konkan"] });
  // Of the very same token other owners were chosen: the later choice stands.
  meanwhile = () => setOwners(database.db, { owners: ["elsewhere"], ...accepting });
  expect(await admin.github.setToken({ owners: ["konkan", "somebody"] })).toMatchObject({
    owners: ["konkan", "somebody"],
  });
  meanwhile = () => admin.github.removeToken();
  const { fieldErrors } = await refusal(admin.github.setToken({ owners: ["third"] }));
  expect(fieldErrors).toEqual({ token: [MESSAGES.github.tokenRequired] });
  expect(await admin.github.tokenStatus()).toMatchObject({ configured: false });
});
