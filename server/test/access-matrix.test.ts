import { randomUUID } from "node:crypto";
import type { SessionScope } from "@db/enums";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { makeSession, makeUser, type UserRow } from "../../db/factories";
import { sessions } from "../../db/schema";
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
let database: TestDatabase;
let callers: TestCallers;
let people: Record<Exclude<CallerName, "anonymous"> | typeof CLIENT_PERSON, UserRow>;

beforeAll(async () => {
  database = await createTestDatabase();
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

describe.each(Object.entries(MATRIX))("%s", (name, { row: expected, key: ofKeys, clientPerson, call }) => {
  const procedure = name.replace(/ \(.*\)$/, "");
  test.each(CALLERS)("answers %s as access.md says", async (who) => {
    const caller = who === "anonymous" ? callers.anonymous : await callerOf(who);
    expect(await answerOf(procedure, call(caller, await unchangedObjects(name), database.db))).toBe(expected[who]);
  });

  test("answers one of the client's people as access.md says", async () => {
    const answer = await answerOf(
      procedure,
      call(await callerOf(CLIENT_PERSON), await unchangedObjects(name), database.db),
    );
    expect(answer).toBe(clientPerson ?? expected.client);
  });

  test.each(OWNERS)("answers an API key of %s as access.md says", async (who) => {
    const answer = await answerOf(
      procedure,
      call(await callerOf(who, "write"), await unchangedObjects(name), database.db),
    );
    expect(answer).toBe(ofKeys ?? expected[who]);
  });

  test("answers a key that may only read as its owner, but changes nothing", async () => {
    const changes = expected !== open && typeOf(procedure) === "mutation";
    for (const who of OWNERS) {
      const answer = await answerOf(
        procedure,
        call(await callerOf(who, "read"), await unchangedObjects(name), database.db),
      );
      expect(answer, who).toBe(ofKeys ?? (changes ? "FORBIDDEN" : expected[who]));
    }
  });
});

function answerOf(procedure: string, call: Promise<unknown>): Promise<unknown> {
  return call.then(
    (value) => {
      if (typeOf(procedure) === "mutation") {
        unchanged = undefined;
        signedIn.clear();
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

/** With a session, or with an API key of that scope: one for all calls up to the next mutation that succeeds, which may end it. */
function callerOf(who: keyof typeof people, scope?: SessionScope): Promise<TestCaller> {
  const make = async () => {
    if (scope === undefined) return callers.as(people[who]);
    return callers.withToken((await callers.makeKey(people[who], scope)).token);
  };
  // Of people who may not sign in, the first call ends the session.
  if (who === "pending" || who === "rejected") return make();
  const name = `${who} ${scope}`;
  const caller = signedIn.get(name) ?? make();
  signedIn.set(name, caller);
  return caller;
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
