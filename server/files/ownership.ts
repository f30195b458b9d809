import { randomUUID } from "node:crypto";
import { sql } from "drizzle-orm";
import type { Db, Tx } from "../../db/client";
import { fileStores, files } from "../../db/schema";
import type { FileStore } from "./store";

/** Why a store must not be used with a database: what it holds is not what the database refers to. */
export type StoreFault = "another" | "missing";

/**
 * Whether a store and a database belong together, by the mark that both have from the first file on. A store of another database
 * would be swept empty; without its store, a database has files that nobody can fetch. Null when they do.
 */
export async function findStoreFault(db: Db | Tx, store: FileStore): Promise<StoreFault | null> {
  const [[own], marker] = await Promise.all([db.select().from(fileStores), store.readMarker()]);
  if (own?.marker === marker || (own === undefined && marker === null)) return null;
  if (marker !== null) return "another";
  return (await db.$count(files)) === 0 ? null : "missing";
}

/** Gives a store and a database the mark of the database, with the first file. */
export async function markStore(db: Db | Tx, store: FileStore): Promise<void> {
  await db.insert(fileStores).values({ marker: randomUUID() }).onConflictDoNothing();
  const [own] = await db.select().from(fileStores);
  if (own && (await store.readMarker()) !== own.marker) await store.writeMarker(own.marker);
}

/** Gives both a new mark: by whoever knows that they belong together. */
export async function adoptStore(db: Db, store: FileStore): Promise<void> {
  const marker = randomUUID();
  await db
    .insert(fileStores)
    .values({ marker })
    .onConflictDoUpdate({ target: fileStores.id, set: { marker, createdAt: sql`now()` } });
  await store.writeMarker(marker);
}

/** What to do about it. */
export function describeStoreFault(fault: StoreFault, { place }: FileStore): string {
  const wrong =
    fault === "another"
      ? `The files in ${place} belong to another database.`
      : `The files of this database are not in ${place}.`;
  return `${wrong} Check DATA_DIR, S3_URL and DATABASE_URL; where they are right, and you have moved the files there, run the doctor with --adopt-store.`;
}
