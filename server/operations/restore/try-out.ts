import { randomBytes } from "node:crypto";
import { and, asc, desc, eq, gt } from "drizzle-orm";
import type { Db } from "../../../db/client";
import { conversations, sessions, users } from "../../../db/schema";
import { deleteSession } from "../../auth/mutations";
import { findSession } from "../../auth/queries";
import { listMessages } from "../../chat/queries";
import { commandLine } from "../../core/command-line";

const SESSION_MS = 60_000;

/** Uses a restored database as the product does: an admin's session is found, and messages are read. Returns what does not work. */
export async function tryOut(db: Db): Promise<string[]> {
  const [admin] = await db
    .select({ id: users.id })
    .from(users)
    .where(and(eq(users.accountType, "admin"), eq(users.accountStatus, "active")))
    .orderBy(asc(users.createdAt))
    .limit(1);
  if (!admin) return [`No admin is active in it. Make one: ${commandLine("admin", 'create --email E --name "N"')}`];
  const complaints: string[] = [];
  if (!(await canSignIn(db, admin.id))) complaints.push("A session of an admin was not found again.");
  if (!(await canReadMessages(db, admin.id))) complaints.push("The messages of a conversation could not be read.");
  return complaints;
}

async function canSignIn(db: Db, userId: string): Promise<boolean> {
  const token = randomBytes(24).toString("base64url");
  const expiresAt = new Date(Date.now() + SESSION_MS);
  const [row] = await db.insert(sessions).values({ token, userId, expiresAt }).returning({ id: sessions.id });
  const session = await findSession(db, { token });
  if (row) await deleteSession(db, row);
  return session?.actor.id === userId;
}

/** True also where nobody has written anything. */
async function canReadMessages(db: Db, viewerId: string): Promise<boolean> {
  const [state] = await db
    .select()
    .from(conversations)
    .where(gt(conversations.lastSeq, 0))
    .orderBy(desc(conversations.updatedAt))
    .limit(1);
  if (!state) return true;
  const viewer = { id: viewerId, accountType: "admin", accountStatus: "active", displayName: "" } as const;
  const { items } = await listMessages(db, { state, viewer });
  return items.at(-1)?.seq === state.lastSeq;
}
