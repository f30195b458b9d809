import * as z from "zod/mini";
import { MESSAGES } from "../contract/messages";
import { DomainError } from "./errors";
import { parseJson } from "./parse-json";

/** The last row of a page in newest-first order. `instant` keeps the database's microseconds, so it is text. */
export interface PageCursor {
  instant: string;
  id: string;
}

const cursorSchema = z.tuple([z.string().check(z.regex(/^[\d :.+-]{10,40}$/)), z.uuid()]);

export function encodeCursor({ instant, id }: PageCursor): string {
  return Buffer.from(JSON.stringify([instant, id])).toString("base64url");
}

/** Null for no cursor; BAD_REQUEST for one that this server did not make. */
export function decodeCursor(cursor: string | null | undefined): PageCursor | null {
  if (!cursor) return null;
  const parsed = cursorSchema.safeParse(parseJson(Buffer.from(cursor, "base64url").toString()));
  if (!parsed.success) throw new DomainError("BAD_REQUEST", MESSAGES.general.unreadable);
  const [instant, id] = parsed.data;
  if (Number.isNaN(Date.parse(instant.replace(" ", "T").replace(/([+-]\d\d)$/, "$1:00")))) {
    throw new DomainError("BAD_REQUEST", MESSAGES.general.unreadable);
  }
  return { instant, id };
}
