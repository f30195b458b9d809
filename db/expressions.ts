import {
  type AnyColumn,
  type GetColumnData,
  getTableName,
  type Placeholder,
  type SQL,
  type SQLWrapper,
  sql,
} from "drizzle-orm";
import { alias, type PgTable } from "drizzle-orm/pg-core";

/*
 * SQL expressions whose TypeScript type follows from the columns they are made of, so that renaming or retyping a column
 * breaks its uses at compile time. Types of what PostgreSQL computes are stated here only.
 */

/** An instant as an ISO-8601 UTC string with milliseconds: `2026-11-20T10:42:00.000Z`; null of null. */
export function isoInstant<Instant extends InstantColumn | SQL<Date | null>>(
  instant: Instant,
): SQL<null extends ValueOf<Instant> ? string | null : string> {
  return sql`to_char(${instant} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
}

/** A column of another type does not compile where an instant is written. */
type InstantColumn = AnyColumn & { _: { data: Date } };

type ValueOf<Part> = Part extends AnyColumn ? GetColumnData<Part> : Part extends SQL<infer Value> ? Value : never;

/** An instant in whole microseconds since 1970: what a page cursor holds, exact where a `Date` is not. */
export function microsecondsOf(column: InstantColumn): SQL<number> {
  return sql`(extract(epoch from ${column}) * 1000000)::bigint`.mapWith(Number);
}

/** The rows that come after a cursor in newest-first order. */
export function isAfter(
  cursor: { microseconds: number; id: string },
  row: { instant: InstantColumn; id: AnyColumn },
): SQL {
  const instant = sql`(timestamptz 'epoch' + ${cursor.microseconds}::bigint * interval '1 microsecond')`;
  return sql`(${row.instant}, ${row.id}) < (${instant}, ${cursor.id}::uuid)`;
}

/**
 * A word of an enum as SQL text. Plans, checks and partial indexes see the word itself, and a renamed one does not compile; a word
 * typed into the SQL would go unnoticed.
 */
export function quoted<const Values extends readonly string[]>(
  _values: Values,
  word: Values[number],
): SQL<Values[number]> {
  return sql<Values[number]>`${sql.raw(`'${word}'`)}`;
}

/** Whether a column holds that word of its enum; see `quoted`. */
export function holds<Column extends AnyColumn>(
  column: Column,
  word: GetColumnData<Column, "raw"> & string,
): SQL<boolean> {
  return sql<boolean>`(${column} = ${quoted([word], word)})`;
}

/**
 * The name of a field of JSON as SQL text, for `->` and `->>`. `Shape` is what the JSON holds: a renamed field does not compile, while a
 * name typed into the SQL would go unnoticed.
 */
export function fieldName<Shape extends object>(name: keyof Shape & string): SQL<string> {
  return sql<string>`${sql.raw(`'${name}'`)}`;
}

/** The row that an insert could not make, for what its conflict sets: by its columns, so that a renamed one does not compile. */
export function excludedOf<Table extends PgTable>(table: Table) {
  return alias(table, "excluded");
}

/** A row as JSON, typed by its parts. Parts must be of types that JSON carries (text, numbers, booleans, days). */
export function jsonObject<Shape extends Record<string, AnyColumn | SQL>>(
  shape: Shape,
): SQL<{ [Key in keyof Shape]: ValueOf<Shape[Key]> }> {
  const pairs = Object.entries(shape).map(([key, part]) => sql`${sql.raw(`'${key}'`)}, ${part}`);
  return sql`json_build_object(${sql.join(pairs, sql`, `)})`;
}

/** The same without spaces, for `jsonRowsText`. No part may be an aggregate. */
export function jsonFields<Shape extends Record<string, AnyColumn | SQL>>(
  shape: Shape,
): SQL<{ [Key in keyof Shape]: ValueOf<Shape[Key]> }> {
  const columns = Object.entries(shape).map(([key, part]) => sql`${part} as ${sql.identifier(key)}`);
  return sql`(select row_to_json(fields) from (select ${sql.join(columns, sql`, `)}) as fields)`;
}

/** All values of an expression as a JSON array, `[]` for none; `where` keeps some, `orderBy` sorts. */
export function jsonArray<Value>(
  value: SQL<Value>,
  options: { orderBy: SQL | AnyColumn; where?: SQL | undefined },
): SQL<Value[]> {
  const filter = options.where ? sql` filter (where ${options.where})` : sql``;
  // json_agg would write spaces between them.
  return sql`coalesce(array_to_json(array_agg(${value} order by ${options.orderBy})${filter}), '[]'::json)`;
}

/** Each part under its key, for a subquery whose rows become JSON by `jsonRows`. */
export function aliased<Shape extends Record<string, AnyColumn | SQL>>(
  shape: Shape,
): { [Key in keyof Shape]: SQL.Aliased<ValueOf<Shape[Key]>> };
export function aliased(shape: Record<string, AnyColumn | SQL>): Record<string, SQL.Aliased> {
  return Object.fromEntries(Object.entries(shape).map(([key, part]) => [key, sql`${part}`.as(key)]));
}

/**
 * All rows of a query over `named` columns, in its order, as one JSON array: the cheapest way to read many, since the driver
 * maps no columns. Its types must be such that JSON carries them.
 */
export function jsonRows<Row>(rows: SQLWrapper & PromiseLike<Row[]>, limit?: number): SQL<Row[]> {
  const listed = limit === undefined ? rows : sql`(${firstRows(rows, limit)})`;
  return sql`(select coalesce(json_agg(listed), '[]'::json) from ${listed} as listed)`;
}

/**
 * A query cut off after so many rows, which stand in the statement's text: with the number as a parameter PostgreSQL's plan for
 * all values expects a tenth of the rows, and joins them in nested loops.
 */
export function firstRows(rows: SQLWrapper, limit: number): SQL {
  return sql`${rows.getSQL()} limit ${sql.raw(String(limit))}`;
}

/**
 * Whether a column has one of the values of a query, each looked up by the column's index: for few rows of a large table. `in`
 * reads all of a table that PostgreSQL takes for small, and costs more with each row that nobody asked for.
 */
export function isAnyOf(column: AnyColumn, values: SQLWrapper): SQL {
  return sql`${column} = any(array(${values.getSQL()}))`;
}

/** The first row of a query over `aliased` columns as JSON, null for none. */
export function jsonRow<Row>(rows: SQLWrapper & PromiseLike<Row[]>): SQL<Row | null> {
  return sql`(select row_to_json(listed) from ${rows} as listed)`;
}

/** JSON of such a value as PostgreSQL has written it, to the byte what `JSON.stringify` would write. */
export type JsonText<Value> = string & { readonly [writtenOf]: Value };
declare const writtenOf: unique symbol;

/**
 * The same as text that goes on as it is. For that its columns hold no spaces of PostgreSQL's own: objects by `jsonFields`, arrays by
 * `jsonArray` and `arrayOf`. The brackets are added here: PostgreSQL would copy the whole text for each.
 */
export function jsonRowsText<Row>(rows: SQLWrapper & PromiseLike<Row[]>, limit?: number): SQL<JsonText<Row[]>> {
  const listed = limit === undefined ? rows : sql`(${firstRows(rows, limit)})`;
  const texts = sql`(select coalesce(string_agg(row_to_json(listed)::text, ','), '') from ${listed} as listed)`;
  return texts.mapWith(joinRowTexts<Row>);
}

function joinRowTexts<Row>(texts: string): JsonText<Row[]>;
function joinRowTexts(texts: string): string {
  return `[${texts}]`;
}

/** The value that a text was written of. */
export function parseJsonText<Value>(text: JsonText<Value>): Value {
  return JSON.parse(text);
}

/** The text of a value that is JSON already: see `jsonRowsText`. */
export function writeJsonText<Value>(value: Value): JsonText<Value>;
export function writeJsonText(value: unknown): string {
  return JSON.stringify(value);
}

/** The text of an object, of the texts of its fields. */
export function joinJsonTexts<Shape extends object>(
  fields: {
    [Key in keyof Shape]: JsonText<Shape[Key]>;
  },
): JsonText<Shape>;
export function joinJsonTexts(fields: Record<string, string>): string {
  let texts = "";
  // Not by `join`, which copies a text that may have half a megabyte.
  for (const [key, text] of Object.entries(fields)) texts += `${texts && ","}${JSON.stringify(key)}:${text}`;
  return `{${texts}}`;
}

/** Of all rows, by those parts of each: their number and a sum of hashes, for which their order is nothing. */
export function fingerprintOf(parts: readonly SQLWrapper[]): SQL<string> {
  const text = sql`concat_ws(' ', ${sql.join([...parts], sql`, `)})`;
  return sql<string>`concat_ws(' ', count(*), sum(hashtextextended(${text}, 0)))`;
}

/** A text that is another one for each transaction that has written the row. */
export function rowVersion(table: PgTable): SQL<string> {
  return sql`${table}.xmin::text`;
}

/** The values of a query of one column, in its order. */
export function arrayOf<Column extends AnyColumn>(
  column: Column,
  { from, where }: { from: PgTable; where: SQL | undefined },
): SQL<GetColumnData<Column>[]> {
  return sql`array_to_json(array(select ${column} from ${from} where ${where} order by ${column}))`;
}

/** An array of a left join, `[]` where there is none. */
export function orEmpty<Value>(array: SQLWrapper & { readonly _: { readonly type: Value } }): SQL<Value> {
  return sql`coalesce(${array}, '[]'::json)`;
}

/** A column as an expression of the column's type. */
export function columnValue<Column extends AnyColumn>(column: Column): SQL<GetColumnData<Column>> {
  return sql`${column}`;
}

/** The value where `column` is not null, else null: for the columns of a left join. */
export function whenPresent<Value>(column: AnyColumn, value: SQL<Value>): SQL<Value | null> {
  return sql`case when ${column} is not null then ${value} end`;
}

/** The number of rows, or of those that fulfil `where`. */
export function countRows(where?: SQL): SQL<number> {
  return where ? sql<number>`(count(*) filter (where ${where}))::int` : sql<number>`count(*)::int`;
}

/** An id as a statement takes it: the id itself, or the placeholder of a prepared statement. */
export type IdValue = string | SQLWrapper;

/** The placeholders of a prepared statement, one for each value that it is executed with. */
export function placeholders<Values extends object>(
  names: Record<keyof Values, true>,
): Record<keyof Values, Placeholder>;
export function placeholders(names: Record<string, true>): Record<string, Placeholder> {
  return Object.fromEntries(Object.keys(names).map((name) => [name, sql.placeholder(name)]));
}

/** Each id of a JSON array as a row of its own, in the list of a select. */
export function eachId(ids: string | SQLWrapper): SQL<string> {
  return sql<string>`json_array_elements_text(${ids}::json)::uuid`;
}

/** Each id of an array column as a row of its own, in the list of a select. */
export function eachOf(ids: AnyColumn): SQL<string> {
  return sql<string>`unnest(${ids})`;
}

/**
 * The next number of a column that counts by itself, for an INSERT … SELECT, which must name every column. By the name that PostgreSQL
 * gives its sequence: to look that up took 50 µs of each call.
 */
export function nextIdentity(column: AnyColumn): SQL<number> {
  return sql<number>`nextval(${sql.raw(`'${getTableName(column.table)}_${column.name}_seq'`)}::regclass)`;
}

/** An ILIKE pattern for "contains", with the wildcards of the text taken literally. */
export function containsPattern(text: string): string {
  return `%${startsPattern(text)}`;
}

/** An ILIKE pattern for "begins with". */
export function startsPattern(text: string): string {
  return `${text.replace(/[\\%_]/g, "\\$&")}%`;
}

/** A text as comparisons without regard to case see it. */
export function lowerCase(text: AnyColumn): SQL<string> {
  return sql<string>`lower(${text})`;
}

/** The latest instant of all rows; null of none. */
export function latestOf(instant: AnyColumn | SQL): SQL<Date | null> {
  return sql<Date | null>`max(${instant})`;
}

/** The later of several instants; null ones do not count. */
export function latest(...instants: (AnyColumn | SQL)[]): SQL<Date> {
  return sql<Date>`greatest(${sql.join(instants, sql`, `)})`;
}

/** The earlier of several instants; null ones do not count. */
export function earliest(...instants: (AnyColumn | SQL)[]): SQL<Date> {
  return sql<Date>`least(${sql.join(instants, sql`, `)})`;
}

/**
 * Up to when everything is committed, in whole milliseconds: until before the oldest transaction that still runs, since its rows have
 * the time of its beginning, or a later one. A cursor at the present time passes by rows that are committed behind it. What has
 * written nothing for a minute is a backup or an export: calls that write have ended by then (`writeTimeoutMs`).
 */
export function committedUpTo(): SQL<Date> {
  const mayWrite = sql`(backend_xid is not null or xact_start > now() - interval '1 minute')`;
  const oldest = sql`(select min(xact_start) from pg_stat_activity
    where datname = current_database() and backend_type = 'client backend' and pid <> pg_backend_pid() and ${mayWrite})`;
  return sql<Date>`date_trunc('milliseconds', ${earliest(sql`clock_timestamp()`, oldest)} - interval '1 microsecond')`;
}

/** An instant some seconds later, fractions allowed; null of null. */
export function instantAfter(instant: AnyColumn | SQL, seconds: number | SQL<number>): SQL<Date> {
  return sql<Date>`(${instant} + ${seconds} * interval '1 second')`;
}

/** What a search looks through in a text that holds mentions: without them, since they hold ids and no names. */
export function searchedText(text: AnyColumn): SQL<string> {
  return sql<string>`regexp_replace(${text}, '@\\[\\]\\(person:[0-9a-f-]{36}\\)', '', 'g')`;
}

/** What is searched of a request: its title and its text. Its indexes are of this expression. */
export function requestText(request: { title: AnyColumn; text: AnyColumn }): SQL<string> {
  return sql<string>`(${request.title} || ' ' || ${request.text})`;
}

/** The words of a text, for full-text search; in no language, since people write in several. */
export function wordsOf(text: AnyColumn | SQL<string>): SQL {
  return sql`to_tsvector('simple', ${text})`;
}
