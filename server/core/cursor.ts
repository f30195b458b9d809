import * as z from "zod/mini";
import { MESSAGES } from "../contract/messages";
import { DomainError } from "./errors";
import { parseJson } from "./parse-json";

/** The last row of a page in newest-first order; its instant in whole microseconds since 1970, as the database has it. */
export interface PageCursor {
  microseconds: number;
  id: string;
}

/** Instants between 1970 and 2200. */
const cursorSchema = z.tuple([z.int().check(z.gte(0), z.lte(7_258_118_400_000_000)), z.uuid()]);

export function encodeCursor({ microseconds, id }: PageCursor): string {
  return Buffer.from(JSON.stringify([microseconds, id])).toString("base64url");
}

/** Null for no cursor; BAD_REQUEST for one that this server did not make. */
export function decodeCursor(cursor: string | null | undefined): PageCursor | null {
  if (!cursor) return null;
  const parsed = cursorSchema.safeParse(parseJson(Buffer.from(cursor, "base64url").toString()));
  if (!parsed.success) throw new DomainError("BAD_REQUEST", MESSAGES.general.unreadable);
  const [microseconds, id] = parsed.data;
  return { microseconds, id };
}

/** For lists that are ordered by a number of their own, newest first. */
export function encodeIdCursor(id: number): string {
  return Buffer.from(JSON.stringify(id)).toString("base64url");
}

/** Null for no cursor; BAD_REQUEST for one that this server did not make. */
export function decodeIdCursor(cursor: string | null | undefined): number | null {
  if (!cursor) return null;
  const id = parseJson(Buffer.from(cursor, "base64url").toString());
  if (!Number.isSafeInteger(id) || Number(id) < 1) throw new DomainError("BAD_REQUEST", MESSAGES.general.unreadable);
  return Number(id);
}
