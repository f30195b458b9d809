import { and, asc, eq } from "drizzle-orm";
import { afterAll, expect } from "vitest";
import { makeProject, makeUser, type UserRow } from "../../db/factories";
import { notifications } from "../../db/schema";
import { startTestProcess } from "./caller";
import { createTestDatabase } from "./db";

export const INSTANT = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);

/** What the tests file, and the task that they make of it. */
const fields = { title: "Tides in the evening", text: "Show the evening's tide too.", urgency: "high" as const };
const task = { title: "Evening tides", description: "As the client asks." };

/** One database with people who file and decide requests, for all tests of a file. Call it at the top of the file. */
export async function openRequestBench() {
  const database = await createTestDatabase();
  const callers = await startTestProcess(database);
  afterAll(async () => {
    await callers.listener.close();
    await database.close();
  });
  const { db } = database;
  const asha = await makeUser(db, { name: "Asha Kulkarni", accountType: "admin" });
  const rohan = await makeUser(db, { name: "Rohan Shah" });
  const mitali = await makeUser(db, { name: "Mitali Deo" });
  const meera = await makeUser(db, { name: "Meera Rao", accountType: "client" });
  const karan = await makeUser(db, { name: "Karan Mehta", accountType: "client" });
  /** Managed by Rohan, with Mitali on it, for Meera. */
  const newProject = (changes: object = {}) =>
    makeProject(db, {
      createdBy: mitali.id,
      clientId: meera.id,
      clientCollaboration: true,
      managers: [rohan.id],
      ...changes,
    });
  const api = async (who: UserRow) => (await callers.as(who)).requests;
  const create = async (by: UserRow, projectId: string, changes: object = {}) =>
    (await api(by)).create({ projectId, ...fields, ...changes });
  const newRequest = async () => create(meera, (await newProject()).id);
  const notificationsOf = (kind: "request" | "request-decided", requestId: string) =>
    db
      .select({ userId: notifications.userId, details: notifications.details, readAt: notifications.readAt })
      .from(notifications)
      .where(and(eq(notifications.kind, kind), eq(notifications.requestId, requestId)))
      .orderBy(asc(notifications.createdAt));
  const people = { asha, rohan, mitali, meera, karan };
  return { database, callers, ...people, newProject, api, create, newRequest, notificationsOf, fields, task };
}
