import { join } from "node:path";
import { Readable } from "node:stream";
import * as z from "zod/mini";
import type { Connection } from "../../../db/client";
import { createArchive } from "../archive";
import { addFiles } from "../backup/write";
import { copyOut, quoted, type Snapshot, type Table, withSnapshot } from "../snapshot";
import { documentOf } from "./document";
import { pageOf } from "./page";

/** What each table of the organisation holds, in words. */
export const OPEN_TABLES: Readonly<Record<string, string>> = {
  users: "People and their accounts",
  organisation: "The organisation's settings",
  projects: "Projects",
  project_members: "Who is assigned to a project, and who manages it",
  project_events: "The history of projects",
  tasks: "Tasks",
  task_assignees: "Who is assigned to a task",
  conversations: "Conversations, and how far each of the two has read",
  messages: "Messages",
  inquiries: "Contact forms and applications",
  invitations: "Open invitations",
  repositories: "Repositories that projects link to",
  commits: "Commits that were read of them",
  commit_mentions: "Tasks that commits mention",
  audit_events: "The audit: who did what to whom",
  web_vitals: "How fast pages were",
};

/** Ways in and secrets, which nobody takes along, and what servers note for themselves. A table is here or above. */
export const CLOSED_TABLES: readonly string[] = [
  "accounts",
  "api_keys",
  "backups",
  "job_kinds",
  "mail_jobs",
  "rate_limits",
  "recovery_codes",
  "recurring_jobs",
  "repository_tokens",
  "secret_keys",
  "sessions",
  "system_conditions",
  "two_factors",
  "verifications",
];

const countSchema = z.tuple([z.object({ count: z.number() })]);

/**
 * Everything that the organisation has, in open formats, as a zip file of any size: sangam.json, which `npm run import` reads, a CSV
 * of each table, the uploaded files, and a page that explains them. No passwords and no secrets. `between` is asked before each
 * piece, and breaks it off by rejecting.
 */
export function createExport({
  connection,
  dataDir,
  between = async () => {},
}: {
  connection: Connection;
  dataDir: string;
  between?: () => Promise<unknown>;
}): Readable {
  return createArchive((archive) =>
    withSnapshot(connection, async ({ tx, sql, tables }) => {
      const takenAt = new Date().toISOString();
      await archive.add("sangam.json", Readable.from(documentOf(tx, between)));
      const listed: { name: string; rows: number; about: string }[] = [];
      for (const table of tables) {
        const about = OPEN_TABLES[table.name];
        if (about === undefined) continue;
        await between();
        await archive.add(`tables/${table.name}.csv`, await copyOut(sql, table, "csv"));
        listed.push({ name: table.name, rows: await count(sql, table), about });
      }
      await between();
      const files = await addFiles(archive, join(dataDir, "files"));
      await archive.add("index.html", pageOf({ takenAt, tables: listed, files: files.length }));
    }),
  );
}

async function count(sql: Snapshot["sql"], { name }: Table): Promise<number> {
  const [{ count: rows }] = countSchema.parse(await sql.unsafe(`select count(*)::int as count from ${quoted(name)}`));
  return rows;
}
