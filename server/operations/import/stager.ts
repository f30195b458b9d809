import { sql } from "drizzle-orm";
import type { PgTable } from "drizzle-orm/pg-core";
import type { Db, Tx } from "../../../db/client";

const ROWS_AT_ONCE = 2_000;

/**
 * Collects rows for the tables and writes them many at once, while the next ones are collected; `flush` writes the rest, and waits
 * for all. An error of a write comes with the next one.
 */
export function createStager(db: Db | Tx) {
  const waiting = new Map<PgTable, object[]>();
  let writing: Promise<unknown> = Promise.resolve();
  async function write(table: PgTable): Promise<void> {
    await writing;
    const json = JSON.stringify(waiting.get(table) ?? []);
    waiting.delete(table);
    const rows = sql`select * from json_populate_recordset(null::${table}, ${json}::json)`;
    // A statement of Drizzle's is sent again by each `then`.
    writing = Promise.resolve(db.execute(sql`insert into ${table} ${rows}`));
    writing.catch(() => {});
  }
  return {
    async add<Table extends PgTable>(table: Table, row: Table["$inferInsert"]): Promise<void> {
      const rows = waiting.get(table) ?? [];
      waiting.set(table, rows);
      rows.push(row);
      if (rows.length >= ROWS_AT_ONCE) await write(table);
    },
    async flush(): Promise<void> {
      for (const table of [...waiting.keys()]) await write(table);
      await writing;
    },
  };
}

export type Stager = ReturnType<typeof createStager>;
