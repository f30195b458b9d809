import { randomUUID } from "node:crypto";
import type { SessionScope } from "@db/enums";
import { afterAll, beforeAll, expect, test } from "vitest";
import { makeSession, makeUser, type UserRow } from "../../db/factories";
import { apiKeys, sessions } from "../../db/schema";
import type { SystemStatus } from "../contract/system";
import type { SystemGateway } from "../core/context";
import { appRouter } from "../router";
import { ACCOUNTS, PASSWORD } from "./access/accounts";
import { CHAT } from "./access/chat";
import { CLIENTS } from "./access/clients";
import { DISCUSSION } from "./access/discussion";
import { createObjects, type ObjectSet, type Objects } from "./access/objects";
import { OPERATIONS } from "./access/operations";
import { PROJECTS } from "./access/projects";
import { CALLERS, type CallerName, CLIENT_PERSON, OWNERS, open, type Rows } from "./access/rows";
import { USERS } from "./access/users";
import { cheapHash, createTestCallers, refusal, type TestCaller, type TestCallers } from "./caller";
import { createTestDatabase, type TestDatabase } from "./db";

/*
 * access.md as a table. Each procedure has one row: what each kind of caller gets, on objects that no call has changed
 * before. A procedure without a row fails, and so does a row without a procedure.
 */

const MATRIX: Rows = {
  ...ACCOUNTS,
  ...USERS,
  ...PROJECTS,
  ...CHAT,
  ...DISCUSSION,
  ...CLIENTS,
  ...OPERATIONS,
};

/** Sessions are made over HTTP only; server/test/http.test.ts and server/auth/two-factor.test.ts hold these rows. */
const TESTED_OVER_HTTP = ["auth.signIn", "auth.verifyTwoFactor"];

let unchanged: ObjectSet | undefined;
/** By row, the names of the objects that its call reads. */
const reads = new Map<string, Set<string>>();
const signedIn = new Map<string, Promise<TestCaller>>();
/** Tokens of sessions that a call ends. */
const unspent = new Map<string, string[]>();
let database: TestDatabase;
let callers: TestCallers;
let people: Record<Exclude<CallerName, "anonymous"> | typeof CLIENT_PERSON, UserRow>;

beforeAll(async () => {
  database = await createTestDatabase({ max: 2 });
  const system: SystemGateway = {
    readStatus: async () => ({}) as SystemStatus,
    sendTestMail: async () => ({ outcome: "accepted", answer: "250 OK" }),
  };
  callers = createTestCallers(database.db, { system });
  const { db } = database;
  const passwordHash = cheapHash(PASSWORD);
  people = {
    pending: await makeUser(db, { accountStatus: "pending" }),
    rejected: await makeUser(db, { accountStatus: "rejected" }),
    outsider: await makeUser(db, { passwordHash }),
    involved: await makeUser(db, { passwordHash }),
    client: await makeUser(db, { accountType: "client", passwordHash }),
    clientPerson: await makeUser(db, { accountType: "client", passwordHash }),
    otherClient: await makeUser(db, { accountType: "client", passwordHash }),
    admin: await makeUser(db, { accountType: "admin", passwordHash }),
  };
});
afterAll(() => database.close());

test("every procedure of the router has a row, and every row a procedure", () => {
  const procedures = Object.keys(appRouter._def.procedures).sort();
  const rows = new Set([...Object.keys(MATRIX).map((name) => name.replace(/ \(.*\)$/, "")), ...TESTED_OVER_HTTP]);
  expect([...rows].sort()).toEqual(procedures);
});

/** What a client changes in a project without client collaboration: nothing but chat, and what is their own. */
const CLIENT_MUTATIONS = {
  auth: [
    ...["acceptInvitation", "changePassword", "confirmEmail", "confirmIdentity", "createApiKey", "enableTwoFactor"],
    ...["requestPasswordReset", "resendConfirmation", "resetPassword", "revokeOtherSessions", "signInWithGoogle"],
    ...["signOut", "signUp"],
  ],
  chat: ["markRead", "noteTyping", "send", "start"],
  comments: ["markRead"],
  feeds: ["createCalendar", "revokeCalendar"],
  inquiries: ["submit"],
  notifications: ["follow", "markRead", "setPreferences", "subscribePush", "unsubscribePush"],
  overview: ["markSeen"],
  users: ["setPhoto", "updateProfile"],
};

test("without client collaboration clients write in chat and what is their own, and nothing else", () => {
  const procedureOf = (name: string) => name.replace(/ \(.*\)$/, "");
  const without = (procedure: string) => `${procedure} (without client collaboration)`;
  const names = Object.entries(MATRIX).flatMap(([name, { row, clientPerson }]) => {
    const procedure = procedureOf(name);
    const isClosed = name === without(procedure) || !(without(procedure) in MATRIX);
    const isDone = row.client === "ok" || clientPerson === "ok";
    return typeOf(procedure) === "mutation" && isClosed && isDone ? [procedure] : [];
  });
  const expected = Object.entries(CLIENT_MUTATIONS).flatMap(([module, some]) => some.map((one) => `${module}.${one}`));
  expect([...new Set(names)].sort()).toEqual(expected);
});

test.each(Object.entries(MATRIX))("%s answers each person and each API key as access.md says", async (name, entry) => {
  const { row: expected, key: ofKeys, clientPerson, call } = entry;
  const procedure = name.replace(/ \(.*\)$/, "");
  const changes = expected !== open && typeOf(procedure) === "mutation";
  const asked = async (who: CallerName | typeof CLIENT_PERSON, scope?: SessionScope) => {
    const caller = who === "anonymous" ? callers.anonymous : await callerOf(who, scope);
    return answerOf(procedure, call(caller, await unchangedObjects(name), database.db));
  };
  const answers: Record<string, unknown> = {};
  const wanted: Record<string, unknown> = { ...expected, [CLIENT_PERSON]: clientPerson ?? expected.client };
  for (const who of [...CALLERS, CLIENT_PERSON] as const) answers[who] = await asked(who);
  for (const who of OWNERS) {
    answers[`key of ${who}`] = await asked(who, "write");
    wanted[`key of ${who}`] = ofKeys ?? expected[who];
    // One that may only read is answered as its owner, but changes nothing.
    answers[`reading key of ${who}`] = await asked(who, "read");
    wanted[`reading key of ${who}`] = ofKeys ?? (changes ? "FORBIDDEN" : expected[who]);
  }
  expect(answers).toEqual(wanted);
});

/** Of what a person's sessions and keys depend on; no other call changes them. */
const ENDS_SESSIONS = /^(auth|users|organisation)\./;

function answerOf(procedure: string, call: Promise<unknown>): Promise<unknown> {
  return call.then(
    (value) => {
      if (typeOf(procedure) === "mutation") {
        unchanged = undefined;
        if (ENDS_SESSIONS.test(procedure)) signedIn.clear();
      }
      return value === null ? "null" : "ok";
    },
    (error: unknown) => (error instanceof Error && "code" in error ? error.code : error),
  );
}

/** Of one set for all calls up to the next mutation that succeeds: what a row's first call has read is made for its others. */
async function unchangedObjects(rowName: string): Promise<Objects> {
  unchanged ??= newObjects();
  const known = reads.get(rowName);
  if (known) return unchanged.pick((name) => known.has(name));
  const read = new Set<string>();
  reads.set(rowName, read);
  return new Proxy(await unchanged.pick(() => true), {
    get(objects, name) {
      read.add(String(name));
      return Reflect.get(objects, name);
    },
  });
}

function newObjects(): ObjectSet {
  return createObjects({ db: database.db, people, callers });
}

function projectAndTask(): Promise<Objects> {
  return newObjects().pick((name) => name === "projectId" || name === "taskId");
}

/** With a session, or with an API key of that scope: one for all calls up to the next mutation that may end it. */
function callerOf(who: keyof typeof people, scope?: SessionScope): Promise<TestCaller> {
  // Of people who may not sign in, the first call ends the session.
  if (who === "pending" || who === "rejected") return spendSession(who, scope);
  const make = async () => {
    if (scope === undefined) return callers.as(people[who]);
    return callers.withToken((await callers.makeKey(people[who], scope)).token);
  };
  const name = `${who} ${scope}`;
  const caller = signedIn.get(name) ?? make();
  signedIn.set(name, caller);
  return caller;
}

const MADE_AT_ONCE = 100;

/** A session, or a key's, for one call. */
async function spendSession(who: "pending" | "rejected", scope: SessionScope | undefined): Promise<TestCaller> {
  const name = `${who} ${scope}`;
  const stock = unspent.get(name) ?? [];
  unspent.set(name, stock);
  if (stock.length === 0) stock.push(...(await makeSessions(people[who].id, scope)));
  return callers.withToken(stock.pop() ?? "");
}

async function makeSessions(userId: string, scope: SessionScope | undefined): Promise<string[]> {
  const { db } = database;
  const made = Array.from({ length: MADE_AT_ONCE }, () => ({
    userId,
    scope: scope ?? "write",
    token: `${scope === undefined ? "token" : "key"}-${randomUUID()}`,
    expiresAt: new Date(Date.now() + 3_600_000),
  }));
  const rows = await db.insert(sessions).values(made).returning({ sessionId: sessions.id });
  const keys = rows.map((row) => ({ ...row, name: "A key", lastFour: "abcd" }));
  if (scope !== undefined) await db.insert(apiKeys).values(keys);
  return made.map(({ token }) => token);
}

/** Flat at run time, where its type is a tree. */
function typeOf(name: string): unknown {
  const procedure: unknown = new Map<string, unknown>(Object.entries(appRouter._def.procedures)).get(name);
  const definition = typeof procedure === "function" && "_def" in procedure ? procedure._def : null;
  return typeof definition === "object" && definition && "type" in definition ? definition.type : undefined;
}

test("a session left over from a refused account is deleted by its first call", async () => {
  const left = await makeSession(database.db, { userId: people.rejected.id });
  await refusal(callers.withToken(left.token).projects.list({ scope: "mine" }));
  const rows = await database.db.select({ id: sessions.id }).from(sessions);
  expect(rows.map(({ id }) => id)).not.toContain(left.id);
});

test("a foreign object and one that does not exist are refused in the same words", async () => {
  const { projectId, taskId } = await projectAndTask();
  const outsider = await callers.as(people.outsider);
  expect(await refusal(outsider.projects.byId({ projectId }))).toEqual(
    await refusal(outsider.projects.byId({ projectId: randomUUID() })),
  );
  expect(await refusal(outsider.tasks.setCompleted({ taskId, completed: true }))).toEqual(
    await refusal(outsider.tasks.setCompleted({ taskId: randomUUID(), completed: true })),
  );
});

test("roles are refused before the input is looked at, and the shape before the object", async () => {
  const client = await callers.as(people.client);
  const outsider = await callers.as(people.outsider);
  const { projectId } = await projectAndTask();
  const misshapen = { projectId, version: 1, patch: { title: "" } };
  expect((await refusal(client.projects.update(misshapen))).code).toBe("FORBIDDEN");
  expect((await refusal(outsider.projects.update(misshapen))).code).toBe("BAD_REQUEST");
});
