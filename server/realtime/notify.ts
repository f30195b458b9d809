import { sql } from "drizzle-orm";
import type { Db, Tx } from "../../db/client";

/** The one channel of the product; every process listens on it. */
export const CHANNEL = "sangam";

/** A knock on the door: ids only. Whoever hears it reads the rows (realtime.md). */
export interface Knock {
  /** The project that changed. */
  projectId: string;
  /** People who may see it only since this change; those already watching it need no naming. */
  newcomers: string[];
}

/** PostgreSQL refuses payloads of 8,000 bytes; 150 ids of 39 bytes stay well below. */
const NEWCOMERS_PER_KNOCK = 150;

/** Announces a change of a project when, and only when, the transaction commits. */
export async function announceProject(tx: Db | Tx, { projectId, newcomers }: Knock): Promise<void> {
  for (let at = 0; at === 0 || at < newcomers.length; at += NEWCOMERS_PER_KNOCK) {
    const knock: Knock = { projectId, newcomers: newcomers.slice(at, at + NEWCOMERS_PER_KNOCK) };
    await tx.execute(sql`select pg_notify(${CHANNEL}, ${JSON.stringify(knock)})`);
  }
}
