import { Tokenizer, TokenizerError, TokenParser, TokenParserError } from "@streamparser/json";
import { type ImportKind, storable } from "./notes";

/** One thing of an import file, without what lies below it. */
export interface ImportRecord {
  /** A collection is one that is not imported. */
  kind: ImportKind | "collection";
  /** Its key in the file. */
  id: string;
  /** The key of what it belongs to; "" for none. */
  parentId: string;
  value: unknown;
}

/** The file is no JSON, or not of the shape that is imported; the message says where. */
export class ImportFileError extends Error {}

const STRING_BUFFER_BYTES = 64 * 1024;
const BELOW = { projects: "tasks", conversations: "messages" } as const;
const PATHS = [
  "$",
  "$.*",
  "$.users.*",
  ...Object.entries(BELOW).flatMap(([above, below]) => [
    `$.${above}.*`,
    `$.${above}.*.${below}`,
    `$.${above}.*.${below}.*`,
  ]),
];

/**
 * Reads an import file (contract.md, "Import file") a chunk at a time: what lies below something comes before it. Collections that
 * are not imported come whole. Throws ImportFileError.
 */
export async function* readImportFile(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<ImportRecord[]> {
  const position = createPosition();
  let records: ImportRecord[] = [];
  const tokenizer = new Tokenizer({ stringBufferSize: STRING_BUFFER_BYTES });
  const parser = new TokenParser({ paths: PATHS });
  tokenizer.onToken = (token) => {
    position.token(token.offset);
    parser.write(token);
  };
  parser.onValue = ({ value, key, parent, stack }) => {
    const above = stack.slice(1).map((container) => String(container.key));
    const record = recordOf(key === undefined ? [] : [...above, String(key)], value);
    if (record) records.push(record);
    // What has been handed on does not stay in memory.
    if (parent && key !== undefined) Reflect.deleteProperty(parent, key);
  };
  try {
    for await (const chunk of chunks) {
      position.chunk(chunk);
      tokenizer.write(chunk);
      if (records.length > 0) yield records;
      records = [];
    }
    if (!parser.isEnded) throw new ImportFileError("the file ends before its JSON does");
  } catch (error) {
    throw located(error, position);
  }
  if (records.length > 0) yield records;
}

/** The record at a way of keys; null for what only holds records, once its shape is right. */
function recordOf(way: string[], value: unknown): ImportRecord | null {
  const [collection = "", id = "", below, belowId] = way;
  if (way.length === 0) return requireObject(value, "the file holds no JSON object");
  const known = collection === "users" || collection === "projects" || collection === "conversations";
  if (!known) return { kind: "collection", id: storable(collection), parentId: "", value };
  if (way.length === 1) return requireObject(value, `"${collection}" is no object`);
  if (way.length === 3) return requireObject(value, `"${below}" of ${collection.slice(0, -1)} "${id}" is no object`);
  if (belowId !== undefined) {
    return {
      kind: collection === "projects" ? "task" : "message",
      id: storable(belowId),
      parentId: storable(id),
      value,
    };
  }
  const kind = collection === "users" ? "user" : collection === "projects" ? "project" : "conversation";
  return { kind, id: storable(id), parentId: "", value };
}

function requireObject(value: unknown, complaint: string): null {
  // Null stands for a collection that is missing.
  if (typeof value !== "object" || Array.isArray(value)) throw new ImportFileError(complaint);
  return null;
}

type Position = ReturnType<typeof createPosition>;

/** Counts lines and columns, in bytes, of what passes by. */
function createPosition() {
  let present: Uint8Array = new Uint8Array();
  /** Of the present chunk's first byte. */
  let start = { offset: 0, line: 1, column: 1 };
  let tokenOffset = 0;
  function at(offset: number): { offset: number; line: number; column: number } {
    const place = { ...start };
    for (const byte of present.subarray(0, Math.max(0, offset - start.offset))) {
      place.column = byte === 0x0a ? 1 : place.column + 1;
      if (byte === 0x0a) place.line += 1;
    }
    return { ...place, offset };
  }
  return {
    chunk(next: Uint8Array): void {
      start = at(start.offset + present.length);
      present = next;
    },
    token(offset: number): void {
      tokenOffset = offset;
    },
    /** Of a byte, or of the last token. */
    at: (offset = tokenOffset) => at(offset),
    end: () => at(start.offset + present.length),
  };
}

function located(error: unknown, position: Position): unknown {
  if (error instanceof ImportFileError) {
    const { line, column } = /ends before/.test(error.message) ? position.end() : position.at();
    return new ImportFileError(`Line ${line}, column ${column}: ${error.message}.`);
  }
  if (!(error instanceof TokenizerError || error instanceof TokenParserError)) return error;
  const [, offset] = /absolute position "(\d+)"/.exec(error.message) ?? [];
  const { line, column } = position.at(offset === undefined ? undefined : Number(offset));
  const [what = ""] = /^Unexpected \S+( \(.*?\))?/.exec(error.message) ?? ["no JSON"];
  return new ImportFileError(`Line ${line}, column ${column}: this is no JSON (${what.toLowerCase()}).`);
}
