import { randomUUID } from "node:crypto";
import { afterAll } from "vitest";
import { makeProject, makeTask, makeUser, type UserRow } from "../../db/factories";
import { makeRepository } from "../../db/repository-factory";
import { projectMembers } from "../../db/schema";
import { startTestProcess, type TestCaller, type TestProcess } from "./caller";
import { createTestDatabase, type TestDatabase } from "./db";

export interface SignOffBench {
  database: TestDatabase;
  callers: TestProcess;
  people: Record<"asha" | "rohan" | "mitali" | "meera" | "arjun" | "kabir", UserRow>;
  admin: TestCaller;
  manager: TestCaller;
  member: TestCaller;
  client: TestCaller;
  colleague: TestCaller;
  otherClient: TestCaller;
  /** One whose client Meera can be asked, with Arjun as her colleague, two tasks and three commits. */
  newProject(): Promise<{ projectId: string; taskIds: string[]; repositoryId: string }>;
  /** What the database has of a record. */
  storedText(id: string): Promise<object | undefined>;
}

/** One database with people who ask and sign, for all tests of a file. Call it at the top of the file. */
export async function openSignOffBench(): Promise<SignOffBench> {
  const database = await createTestDatabase();
  const callers = await startTestProcess(database);
  afterAll(async () => {
    await callers.listener.close();
    await database.close();
  });
  const { db } = database;
  const asha = await makeUser(db, { accountType: "admin" });
  const rohan = await makeUser(db);
  const mitali = await makeUser(db);
  const meera = await makeUser(db, { accountType: "client", name: "Meera Rao" });
  const arjun = await makeUser(db, { accountType: "client" });
  const kabir = await makeUser(db, { accountType: "client" });
  return {
    database,
    callers,
    people: { asha, rohan, mitali, meera, arjun, kabir },
    admin: await callers.as(asha),
    manager: await callers.as(rohan),
    member: await callers.as(mitali),
    client: await callers.as(meera),
    colleague: await callers.as(arjun),
    otherClient: await callers.as(kabir),
    async newProject() {
      const commits = ["c3", "c2", "c1"].map((sha) => ({ sha, message: `Secret ${sha}`, authorName: "Rohan" }));
      const { id: repositoryId } = await makeRepository(db, { fullName: `sangam-demo/${randomUUID()}`, commits });
      const { id: projectId } = await makeProject(db, {
        createdBy: rohan.id,
        clientId: meera.id,
        assignedTo: [rohan.id, mitali.id],
        managers: [rohan.id],
        clientCollaboration: true,
        title: "Harbour portal",
        liveLink: "https://harbour.example",
        repositoryId,
      });
      await db.insert(projectMembers).values({ projectId, userId: arjun.id, role: "client", position: 0 });
      const taskIds = [
        (await makeTask(db, { projectId, createdBy: rohan.id, title: "Login", status: "completed" })).id,
        (await makeTask(db, { projectId, createdBy: rohan.id, title: "Tides", dueDate: "2026-12-01" })).id,
      ];
      return { projectId, taskIds, repositoryId };
    },
    async storedText(id) {
      const [row] = await database.sql`select record::text as text, status from sign_offs where id = ${id}`;
      return row;
    },
  };
}

/** The callers are made before any test runs. */
export function of(caller: TestCaller | undefined): TestCaller["signOffs"] {
  if (!caller) throw new Error("no caller");
  return caller.signOffs;
}
