import type { Db } from "../../db/client";
import { makeUser, type UserRow } from "../../db/factories";
import { createTestCallers, type TestCaller } from "./caller";
import { createTestDatabase } from "./db";

/** What the person who calls is, besides an active user. */
type Actor = Omit<NonNullable<Parameters<typeof makeUser>[1]>, "passwordHash">;

/** One person's calls on a database of their own. */
export interface OwnTestCaller {
  /** Every procedure, in process: `caller.projects.create({ … })`. */
  caller: TestCaller;
  user: UserRow;
  /** For the factories of db/factories.ts, which put everything else there. */
  db: Db;
  /** A caller of somebody else on the same database. */
  as(other: { id: string }): Promise<TestCaller>;
  /** Drops the database; `await using` does it by itself. */
  [Symbol.asyncDispose](): Promise<void>;
}

/**
 * A throw-away database (6 ms), a person in it and a caller in their name: session, checks and rules are the real ones, only
 * HTTP is left out. Tests that share one database take `createTestDatabase` and `createTestCallers`.
 */
export async function createTestCaller(actor: Actor = {}): Promise<OwnTestCaller> {
  const { db, close } = await createTestDatabase();
  const callers = createTestCallers(db);
  const user = await makeUser(db, actor);
  return { caller: await callers.as(user), user, db, as: callers.as, [Symbol.asyncDispose]: close };
}
