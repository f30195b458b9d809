import { type SQL, sql } from "drizzle-orm";
import type { Db } from "../../db/client";
import { isAnyOf } from "../../db/expressions";
import { requestReplies, requests, statusUpdates } from "../../db/schema";
import { STATUS_UPDATE_CAUSE } from "./mutations";

/** A longer text is cut in a mail: the page has the whole. */
const MAX_SHOWN = 600;

const REQUEST = "request:";
const REPLY = "request-reply:";
const DECISION = "request-decided:";

/** A notification, as its text is found. */
interface Caused {
  id: string;
  cause: string;
}

/**
 * The lines of what some notifications are about, by the notification: status updates, requests, questions and answers about them,
 * and why one was declined. Whoever reads the mail need not sign in to know.
 */
export async function findMailedTexts(db: Db, rows: readonly Caused[]): Promise<ReadonlyMap<string, string[]>> {
  const found = await Promise.all([
    textsOf(rows, STATUS_UPDATE_CAUSE, (ids) => {
      const { id, text } = statusUpdates;
      return db.select({ id, text }).from(statusUpdates).where(isAnyOf(id, ids));
    }),
    textsOf(rows, REQUEST, (ids) => {
      const { id, text } = requests;
      return db.select({ id, text }).from(requests).where(isAnyOf(id, ids));
    }),
    textsOf(rows, REPLY, (ids) => {
      const { id, text } = requestReplies;
      return db.select({ id, text }).from(requestReplies).where(isAnyOf(id, ids));
    }),
    textsOf(rows, DECISION, (ids) => {
      const { id, reason } = requests;
      return db.select({ id, text: reason }).from(requests).where(isAnyOf(id, ids));
    }),
  ]);
  return new Map(found.flat());
}

type Named = { id: string; text: string | null };

/** What `read` finds by the ids that follow `prefix` in the causes. */
async function textsOf(
  rows: readonly Caused[],
  prefix: string,
  read: (ids: SQL) => PromiseLike<Named[]>,
): Promise<[id: string, lines: string[]][]> {
  const about = rows.flatMap(({ id, cause }) =>
    cause.startsWith(prefix) ? [{ id, of: cause.slice(prefix.length) }] : [],
  );
  if (about.length === 0) return [];
  const ids = JSON.stringify(about.map(({ of }) => of));
  const found = await read(sql`select json_array_elements_text(${ids}::json)::uuid`);
  const textOf = new Map(found.map(({ id, text }) => [id, text ?? ""]));
  return about.map(({ id, of }) => [
    id,
    cut(textOf.get(of) ?? "")
      .split("\n")
      .filter(Boolean),
  ]);
}

function cut(text: string): string {
  const letters = [...text];
  return letters.length > MAX_SHOWN ? `${letters.slice(0, MAX_SHOWN).join("").trimEnd()}…` : text;
}
