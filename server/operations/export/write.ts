import { Readable } from "node:stream";
import type { Connection } from "../../../db/client";
import { csvLines, defused } from "../../exports/csv";
import type { FileStore } from "../../files/store";
import { createArchive } from "../archive";
import { addFiles } from "../backup/write";
import { readRows, type Snapshot, withSnapshot } from "../snapshot";
import { documentOf } from "./document";
import { pageOf } from "./page";

/** What each table of the organisation holds, in words. */
export const OPEN_TABLES: Readonly<Record<string, string>> = {
  users: "People and their accounts",
  organisation: "The organisation's settings",
  projects: "Projects",
  project_members: "Who is assigned to a project, who manages it, and further people of its client",
  project_templates: "Projects to begin others from",
  project_events: "The history of projects",
  status_updates: "Status updates of projects",
  tasks: "Tasks",
  task_assignees: "Who is assigned to a task",
  labels: "Labels of tasks",
  task_labels: "Which labels a task has",
  requests: "What clients asked for, and what became of it",
  request_replies: "Questions and answers about requests",
  message_tasks: "Which messages became tasks",
  discussions: "Which projects and tasks have comments, and how many",
  comments: "Comments",
  comment_reads: "How far each person has read the comments",
  files: "Uploaded files, and what they hang on",
  user_photos: "Whose picture a file is",
  follows: "Who follows a project or a task",
  notifications: "Notifications",
  notification_preferences: "Which notifications a person wants, and how",
  sign_offs: "What clients were asked to sign off, and what they answered",
  conversations: "Conversations, and how far each of the two has read",
  conversation_settlements: "Up to which message a conversation needs no reply",
  messages: "Messages",
  inquiries: "Contact forms and applications",
  invitations: "Open invitations",
  last_visits: "Up to when each person has seen what happened",
  live_links: "Live links of projects, and since when they do not answer",
  live_link_checks: "What each check of a live link found",
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
  "backup_requests",
  "backups",
  "calendar_feeds",
  "file_stores",
  "job_kinds",
  "mail_days",
  "mail_jobs",
  "push_keys",
  "push_subscriptions",
  "rate_limits",
  "recovery_codes",
  "recurring_jobs",
  "repository_tokens",
  "secret_keys",
  "server_processes",
  "sessions",
  "system_conditions",
  "two_factors",
  "unsubscribe_keys",
  "verifications",
  "webhook_deliveries",
  "webhooks",
];

/**
 * Everything that the organisation has, in open formats, as a zip file of any size: sangam.json, which `npm run import` reads, a CSV
 * of each table, the uploaded files, and a page that explains them. No passwords and no secrets. `between` is asked before each
 * piece, and breaks it off by rejecting; the signal does so at any moment.
 */
export function createExport({
  connection,
  store,
  between = async () => {},
  signal,
}: {
  connection: Connection;
  store: FileStore;
  between?: () => Promise<unknown>;
  signal?: AbortSignal | undefined;
}): Readable {
  return createArchive((archive) => {
    const write = async ({ tx, sql, tables }: Snapshot) => {
      const takenAt = new Date().toISOString();
      await archive.add("sangam.json", Readable.from(documentOf(tx, between)));
      const listed: { name: string; rows: number; about: string }[] = [];
      for (const table of tables) {
        const about = OPEN_TABLES[table.name];
        if (about === undefined) continue;
        const entry = { name: table.name, rows: 0, about };
        async function* csvOf(): AsyncGenerator<string> {
          yield csvLines([table.columns]);
          for await (const page of readRows(sql, table)) {
            await between();
            entry.rows += page.length;
            yield csvLines(page.map((row) => row.map((value) => value && defused(value))));
          }
        }
        await archive.add(`tables/${table.name}.csv`, Readable.from(csvOf()));
        listed.push(entry);
      }
      await between();
      const files = await addFiles(archive, store);
      await archive.add("index.html", pageOf({ takenAt, tables: listed, files: files.length }));
    };
    return withSnapshot(connection, write, { signal });
  });
}
