import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { eq } from "drizzle-orm";
import type { Db } from "../db/client";
import { makeSession, makeUser } from "../db/factories";
import { accounts, users } from "../db/schema";
import { sessionCookie } from "../server/test/session-cookie";
import type { Api } from "./api";
import { DEMO_PASSWORD, makeSessionsWith } from "./pages/account";
import { writeRows } from "./rows";
import type { TestServer } from "./server";

export interface NewAccount {
  name: string;
  email?: string;
  /** What an admin makes of them; "user" when left out. */
  as?: "user" | "client" | "admin" | "pending" | "rejected";
}

export interface Person {
  id: string;
  name: string;
  email: string;
  password: string;
}

/**
 * Makes an account by the rules: signed up, and decided about by an admin, for tests of just that and of what open pages learn of
 * it.
 */
export async function addPerson(admin: Api, { name, email = newEmail(), as = "user" }: NewAccount): Promise<Person> {
  await admin.auth.signUp.mutate({
    name,
    email,
    mobile: "+91 98200 12345",
    password: DEMO_PASSWORD,
    confirmPassword: DEMO_PASSWORD,
    agreeToTerms: true,
  });
  const { items } = await admin.users.list.query({ status: "pending", q: email });
  const userId = items[0]?.id ?? "";
  if (as === "rejected") await admin.users.reject.mutate({ userId });
  else if (as !== "pending") await admin.users.approve.mutate({ userId, accountType: as });
  return { id: userId, name, email, password: DEMO_PASSWORD };
}

interface NewActor {
  name: string;
  email?: string;
  as?: "user" | "client" | "admin";
}

/**
 * Writes an account past the rules, for a test that changes it or acts as it: those of the demo organisation are needed by every
 * other test of the same server. It can log in. A sign-up and an approval, with mails and a hash of a password, cost 0.25 s of
 * processor, and each login a tenth of a second, which `authenticate` spares it. Pages that are open do not learn of it.
 */
export function insertPerson(
  server: TestServer,
  { name, email = newEmail(), as: accountType = "user" }: NewActor,
): Promise<Person> {
  return writeRows(server, async (db) => {
    const passwordHash = await demoPasswordHash(db);
    const mobile = "+91 98200 12345";
    const { id } = await makeUser(db, { name, email, mobile, accountType, emailPresumed: false, passwordHash });
    makeSessionsWith(email, () => writeSession(server, id));
    return { id, name, email, password: DEMO_PASSWORD };
  });
}

/** A new session, as the cookie of a browser. */
async function writeSession(server: TestServer, userId: string) {
  const { token } = await writeRows(server, (db) => makeSession(db, { userId, hours: 24 }));
  const secret = readFileSync(join(server.dataDir, "better-auth-secret"), "utf8").trim();
  const [name = "", value = ""] = sessionCookie(token, secret).split("=");
  return [{ name, value, url: server.url, httpOnly: true, sameSite: "Lax" as const }];
}

async function demoPasswordHash(db: Db): Promise<string> {
  const [account] = await db
    .select({ passwordHash: accounts.password })
    .from(accounts)
    .innerJoin(users, eq(users.id, accounts.userId))
    .where(eq(users.email, "asha@sangam.example"));
  if (!account?.passwordHash) throw new Error("the demo has no passwords");
  return account.passwordHash;
}

/** Ids by name, as each admin has read them: nobody of the demo organisation comes or goes. */
const known = new WeakMap<Api, Map<string, string>>();

/** The ids of active people, in the order of the names. */
export async function personIds(admin: Api, ...names: string[]): Promise<string[]> {
  const ids = known.get(admin) ?? new Map<string, string>();
  known.set(admin, ids);
  if (names.some((name) => !ids.has(name))) {
    const people = [...(await admin.users.assignable.query()), ...(await admin.users.clients.query())];
    for (const { name, id } of people) ids.set(name, id);
  }
  return names.map((name) => {
    const id = ids.get(name);
    if (id === undefined) throw new Error(`Nobody is called ${name}.`);
    return id;
  });
}

export async function personId(admin: Api, name: string): Promise<string> {
  const [id = ""] = await personIds(admin, name);
  return id;
}

function newEmail(): string {
  return `${randomUUID()}@firm.example`;
}
