import { writeFile } from "node:fs/promises";
import { and, asc, count, eq, gt } from "drizzle-orm";
import type { Db, Tx } from "../../../db/client";
import type { ImportCounts } from "./run";
import { pages, stagedNotes } from "./staging";

type List = "unmatched" | "changed";

interface Result {
  imported: ImportCounts;
  /** Null when nobody was to be invited. */
  invited: number | null;
  db: Db | Tx;
}

/**
 * Writes the report (contract.md, "Import file"): row by row, so that one of any length fits. For its owner alone, as it repeats what
 * people have written.
 */
export function writeReport(path: string, result: Result): Promise<void> {
  return writeFile(path, linesOf(result), { mode: 0o600 });
}

async function* linesOf({ imported, invited, db }: Result): AsyncGenerator<string> {
  yield `{\n  "imported": ${JSON.stringify(imported)},\n`;
  if (invited !== null) yield `  "invited": ${invited},\n`;
  yield `  "unmatched": [`;
  yield* rowsOf(db, "unmatched");
  yield `],\n  "changed": [`;
  yield* rowsOf(db, "changed");
  yield "]\n}\n";
}

async function* rowsOf(db: Db | Tx, list: List): AsyncGenerator<string> {
  let separator = "\n    ";
  for await (const page of notesOf(db, list)) {
    for (const { row } of page) {
      yield separator + row;
      separator = ",\n    ";
    }
  }
  if (separator !== "\n    ") yield "\n  ";
}

function notesOf(db: Db | Tx, list: List) {
  return pages((after, limit) =>
    db
      .select()
      .from(stagedNotes)
      .where(and(eq(stagedNotes.list, list), gt(stagedNotes.place, after)))
      .orderBy(asc(stagedNotes.place))
      .limit(limit),
  );
}

/** How many rows each list has, and the first ones in words. */
export async function summariseNotes(db: Db | Tx, { first }: { first: number }) {
  const counts = await db
    .select({ list: stagedNotes.list, count: count() })
    .from(stagedNotes)
    .groupBy(stagedNotes.list);
  const lines = await db
    .select({ sentence: stagedNotes.sentence })
    .from(stagedNotes)
    .orderBy(asc(stagedNotes.place))
    .limit(first);
  const of = (list: List) => counts.find((row) => row.list === list)?.count ?? 0;
  return { unmatched: of("unmatched"), changed: of("changed"), lines: lines.map(({ sentence }) => sentence) };
}
