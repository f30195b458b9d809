/** Pages that were read at different times may overlap: each row once, as it was read last. */
export function uniqueById<Row extends { id: string | number }>(rows: readonly Row[]): Row[] {
  return [...new Map(rows.map((row) => [row.id, row])).values()];
}
