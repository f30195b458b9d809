import { readFileSync } from "node:fs";
import { join } from "node:path";
import { eq } from "drizzle-orm";
import { type Connection, createDb, type Db } from "../db/client";
import { makeConversation, makeUser } from "../db/factories";
import { conversations, messages, projectMembers, projects } from "../db/schema";
import { rowsOf } from "../db/writes";
import type { TestServer } from "./server";

/**
 * Writes rows past the rules of a server and without its notifications: for pages with hundreds of rows, each of which would
 * cost a call 20 ms of processor. Open the page afterwards.
 */
export async function writeRows<T>(server: TestServer, write: (db: Db) => Promise<T>): Promise<T> {
  const { socketDir, ...address } = JSON.parse(readFileSync(join(server.dataDir, "cluster.json"), "utf8"));
  const connection: Connection = { host: socketDir, ...address };
  const { db, close } = createDb(connection, { max: 1 });
  try {
    return await write(db);
  } finally {
    await close();
  }
}

let projectCount = 0;

/** Projects of their creator alone, made one after the other. */
export async function insertProjects(
  db: Db,
  { createdBy, titles, status }: { createdBy: string; titles: readonly string[]; status?: "inProgress" },
): Promise<void> {
  const startMs = Date.now() - titles.length;
  const rows = await db
    .insert(projects)
    .values(
      rowsOf(
        projects,
        titles.map((title, at) => ({
          createdBy,
          title,
          description: "Photographs of the road.",
          startDate: "2026-11-02",
          key: `SV${++projectCount}`,
          ...(status && { status }),
          createdAt: new Date(startMs + at),
        })),
      ),
    )
    .returning({ projectId: projects.id });
  await db.insert(projectMembers).values(
    rowsOf(
      projectMembers,
      rows.map(({ projectId }) => ({ projectId, userId: createdBy, role: "assigned" as const, position: 0 })),
    ),
  );
}

/** Unread messages after `lastSeq`, the newest one until then. */
export async function insertMessages(
  db: Db,
  {
    conversationId,
    senderId,
    lastSeq,
    texts,
  }: { conversationId: string; senderId: string; lastSeq: number; texts: string[] },
): Promise<void> {
  await db.insert(messages).values(
    rowsOf(
      messages,
      texts.map((text, at) => ({
        conversationId,
        senderId,
        seq: lastSeq + 1 + at,
        clientMessageId: crypto.randomUUID(),
        text,
      })),
    ),
  );
  await db
    .update(conversations)
    .set({ lastSeq: lastSeq + texts.length, updatedAt: new Date() })
    .where(eq(conversations.id, conversationId));
}

/** Conversations with accounts that are not active: no list of people names them. */
export async function insertAccountsWritingTo(
  db: Db,
  { userId, count }: { userId: string; count: number },
): Promise<void> {
  for (let at = 0; at < count; at += 1) {
    const { id: senderId } = await makeUser(db, { accountType: "client", accountStatus: "inactive" });
    await makeConversation(db, { between: [userId, senderId], messages: [{ senderId }] });
  }
}
