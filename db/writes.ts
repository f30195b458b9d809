import type { PgTable } from "drizzle-orm/pg-core";

/** Keys that are no columns, of each member of a union. */
type Foreign<Table extends PgTable, Row> = Row extends unknown
  ? Exclude<keyof Row, keyof Table["$inferInsert"]>
  : never;

type Checked<Table extends PgTable, Row> = [Foreign<Table, Row>] extends [never]
  ? unknown
  : { [Key in Foreign<Table, Row>]: never };

/**
 * The row as it is; does not compile when it has a key that is no column of the table. Drizzle drops such a key, and the compiler
 * refuses it in literals only: rows made of other objects go through here, so that a renamed column breaks them.
 */
export function columnsOf<Table extends PgTable, const Row extends object>(
  _table: Table,
  row: Row & Checked<Table, Row>,
): Row {
  return row;
}

/** Several rows; see `columnsOf`. */
export function rowsOf<Table extends PgTable, Row extends object>(
  _table: Table,
  rows: readonly Row[] & Checked<Table, Row>,
): Row[] {
  return [...rows];
}

/** What a write makes; null if a row with that unique key is there already, also one of a concurrent call. Other errors pass. */
export function unlessTaken<Made>(constraint: string, make: () => Promise<Made>): Promise<Made | null> {
  return unlessViolated(constraint, make);
}

/**
 * The row that a key stands for: one that was made before, else what `make` makes now, else that of a concurrent call with the same key,
 * which `constraint` keeps unique; null where that one is gone again or is not the caller's to find. Other errors pass.
 */
export async function makeOnce<Row>(
  constraint: string,
  { find, make }: { find: () => Promise<Row | null>; make: () => Promise<Row> },
): Promise<{ row: Row | null; isNew: boolean }> {
  const earlier = await find();
  if (earlier !== null) return { row: earlier, isNew: false };
  const made = await unlessTaken(constraint, make);
  return made === null ? { row: await find(), isNew: false } : { row: made, isNew: true };
}

/** What a write makes; null if the row that it refers to by that foreign key is gone, also by a concurrent call. Other errors pass. */
export function unlessGone<Made>(constraint: string, make: () => Promise<Made>): Promise<Made | null> {
  return unlessViolated(constraint, make);
}

async function unlessViolated<Made>(constraint: string, make: () => Promise<Made>): Promise<Made | null> {
  try {
    return await make();
  } catch (error) {
    const cause = error instanceof Error ? error.cause : null;
    if (cause instanceof Error && "constraint_name" in cause && cause.constraint_name === constraint) return null;
    throw error;
  }
}
