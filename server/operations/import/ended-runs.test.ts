import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { asc } from "drizzle-orm";
import { expect, test } from "vitest";
import { makeUser } from "../../../db/factories";
import { conversations, messages, projects, tasks, users } from "../../../db/schema";
import { createTestDatabase } from "../../test/db";
import { importFileOf, intakeBelow } from "../../test/import-file";
import { runImportCommand } from "./command";

test("an import whose connection is ended at any moment is completed by the next one, without doubles", async () => {
  const folder = await mkdtemp(join(tmpdir(), "sangam-import-"));
  await writeFile(
    join(folder, "many.json"),
    JSON.stringify(importFileOf({ users: 40, projects: 60, tasks: 40, messages: 1_500 })),
  );
  const other = await createTestDatabase();
  await makeUser(other.db, { name: "Asha", accountType: "admin" });
  const options = {
    args: ["many.json", "--report", "many-report.json"],
    connection: other.connection,
    folder,
    show: () => {},
    ask: null,
    timeZone: "UTC",
    intake: intakeBelow(folder),
  };
  try {
    let ended = 0;
    for (let round = 1; round <= 10; round += 1) {
      const end = async () => {
        await new Promise((resolve) => setTimeout(resolve, 40 * round + Math.random() * 200));
        // Of this database only: other tests import at the same time.
        await other.sql`select pg_terminate_backend(pid) from pg_locks join pg_database on pg_database.oid = database
          where locktype = 'advisory' and objid = 467678 and datname = current_database()`;
      };
      const [{ ok, sentence }] = await Promise.all([runImportCommand(options), end()]);
      if (!ok) ended += 1;
      if (!ok) expect(sentence).toMatch(/Start the import again/);
    }
    expect(ended).toBeGreaterThan(0);
    expect((await runImportCommand(options)).ok).toBe(true);
    const again = await runImportCommand(options);
    expect(again.ok).toBe(true);
    const report = JSON.parse(await readFile(join(folder, "many-report.json"), "utf8"));
    expect(report.imported).toEqual({ users: 0, projects: 0, tasks: 0, conversations: 0, messages: 0 });
    expect(await other.db.$count(users)).toBe(41);
    expect(await other.db.$count(projects)).toBe(60);
    expect(await other.db.$count(tasks)).toBe(60 * 40);
    const [conversation, ...more] = await other.db.select().from(conversations);
    expect(more).toEqual([]);
    const rows = await other.db.select().from(messages).orderBy(asc(messages.seq));
    expect(rows.map(({ seq }) => seq)).toEqual(Array.from({ length: 1_500 }, (_, at) => at + 1));
    expect(rows.map(({ text }) => text)).toEqual(Array.from({ length: 1_500 }, (_, at) => `Message ${at}`));
    expect(conversation).toMatchObject({ lastSeq: 1_500 });
    const totals = await other.db.select({ count: projects.taskCount, last: projects.lastTaskNumber }).from(projects);
    expect(totals.every(({ count, last }) => count === 40 && last === 40)).toBe(true);
  } finally {
    await other.close();
    await rm(folder, { recursive: true });
  }
});
