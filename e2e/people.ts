import { randomUUID } from "node:crypto";
import type { Api } from "./api";
import { DEMO_PASSWORD } from "./pages/account";

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
 * Makes an account for a test that changes it: those of the demo organisation are needed by every other test of the same
 * server.
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
