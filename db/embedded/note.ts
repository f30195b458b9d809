import { existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** What cluster.json says of the last start. */
export type Note = { dataDir: string; where: string };

/** Where DATA_DIR's cluster was last time, from cluster.json; null before the first start. */
export function readNote(dataDir: string): Note | null {
  const file = join(dataDir, "cluster.json");
  if (!existsSync(file)) return null;
  try {
    const note: unknown = JSON.parse(readFileSync(file, "utf8"));
    if (typeof note !== "object" || note === null || !("dataDir" in note) || !("where" in note)) return null;
    return { dataDir: String(note.dataDir), where: String(note.where) };
  } catch {
    return null;
  }
}

/** With the running cluster's address for scripts that look into the database; `pid` may be gone when they read it. */
export function writeNote(dataDir: string, note: Note & Record<string, string | number>): void {
  const file = join(dataDir, "cluster.json");
  writeFileSync(`${file}.${process.pid}`, `${JSON.stringify(note, null, 2)}\n`, { mode: 0o600 });
  renameSync(`${file}.${process.pid}`, file);
}
