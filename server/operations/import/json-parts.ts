import { Tokenizer, TokenizerError, TokenParser, TokenParserError } from "@streamparser/json";

/** The file is no JSON, or not of the shape that is imported; the message says where. */
export class ImportFileError extends Error {}

const STRING_BUFFER_BYTES = 64 * 1024;
const NEWLINE = 0x0a;

/**
 * Reads a JSON file a chunk at a time: the parts at these paths, each without what lies below it at another one, which comes before
 * it. `partOf` is given the keys that lead to a value, and may throw ImportFileError without a place; null is skipped. Throws
 * ImportFileError with the line and the column.
 */
export async function* readJsonParts<Part>(
  chunks: AsyncIterable<Uint8Array>,
  { paths, partOf }: { paths: string[]; partOf: (way: string[], value: unknown) => Part | null },
): AsyncGenerator<Part[]> {
  const position = createPosition();
  let parts: Part[] = [];
  const tokenizer = new Tokenizer({ stringBufferSize: STRING_BUFFER_BYTES });
  const parser = new TokenParser({ paths });
  tokenizer.onToken = (token) => {
    position.token(token.offset);
    parser.write(token);
  };
  parser.onValue = ({ value, key, parent, stack }) => {
    const above = stack.slice(1).map((container) => String(container.key));
    const part = partOf(key === undefined ? [] : [...above, String(key)], value);
    if (part) parts.push(part);
    // What has been handed on does not stay in memory.
    if (parent && key !== undefined) Reflect.deleteProperty(parent, key);
  };
  try {
    for await (const chunk of chunks) {
      position.chunk(chunk);
      tokenizer.write(chunk);
      if (parts.length > 0) yield parts;
      parts = [];
    }
    if (!parser.isEnded) throw new ImportFileError("the file ends before its JSON does");
  } catch (error) {
    throw located(error, position);
  }
  if (parts.length > 0) yield parts;
}

type Position = ReturnType<typeof createPosition>;

/** Counts lines and columns, in bytes, of what passes by. */
function createPosition() {
  let present: Uint8Array = new Uint8Array();
  /** Of the present chunk's first byte. */
  let start = { offset: 0, line: 1, column: 1 };
  let tokenOffset = 0;
  function at(offset: number): { offset: number; line: number; column: number } {
    const before = present.subarray(0, Math.max(0, offset - start.offset));
    let { line } = start;
    let lineStart = -1;
    for (let at = before.indexOf(NEWLINE); at >= 0; at = before.indexOf(NEWLINE, at + 1)) {
      line += 1;
      lineStart = at;
    }
    return { offset, line, column: lineStart < 0 ? start.column + before.length : before.length - lineStart };
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
