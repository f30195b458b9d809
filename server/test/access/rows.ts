import type { TestCaller } from "../caller";
import type { TestDatabase } from "../db";
import type { Objects } from "./objects";

/* What the rows of the access matrix are made of. */

export type Answer = "ok" | "null" | "BAD_REQUEST" | "UNAUTHORIZED" | "FORBIDDEN" | "NOT_FOUND" | "CONFLICT";
export const CALLERS = [
  "anonymous",
  "pending",
  "rejected",
  "outsider",
  "involved",
  "client",
  "otherClient",
  "admin",
] as const;
export type CallerName = (typeof CALLERS)[number];
/** One of the people of the client of `projectId`: as the client, but for what is the client's own. */
export const CLIENT_PERSON = "clientPerson";
/** Of API keys. */
export const OWNERS = ["pending", "outsider", "involved", "client", "admin"] as const;
export type Row = Record<CallerName, Answer>;

export const row = (...answers: [Answer, Answer, Answer, Answer, Answer, Answer, Answer, Answer]): Row => {
  const [anonymous, pending, rejected, outsider, involved, client, otherClient, admin] = answers;
  return { anonymous, pending, rejected, outsider, involved, client, otherClient, admin };
};

/** Whoever may ask is answered with null. */
export const withNull = ({ ...answers }: Row): Row => {
  for (const caller of CALLERS) if (answers[caller] === "ok") answers[caller] = "null";
  return answers;
};

export const open = row("ok", "ok", "ok", "ok", "ok", "ok", "ok", "ok");
export const own = row("UNAUTHORIZED", "FORBIDDEN", "FORBIDDEN", "ok", "ok", "ok", "ok", "ok");
export const employees = row("UNAUTHORIZED", "FORBIDDEN", "FORBIDDEN", "ok", "ok", "FORBIDDEN", "FORBIDDEN", "ok");
export const adminsOnly = row(
  "UNAUTHORIZED",
  "FORBIDDEN",
  "FORBIDDEN",
  "FORBIDDEN",
  "FORBIDDEN",
  "FORBIDDEN",
  "FORBIDDEN",
  "ok",
);
export const readers = row("UNAUTHORIZED", "FORBIDDEN", "FORBIDDEN", "NOT_FOUND", "ok", "ok", "NOT_FOUND", "ok");
export const followers = row("UNAUTHORIZED", "FORBIDDEN", "FORBIDDEN", "FORBIDDEN", "FORBIDDEN", "ok", "ok", "ok");
export const followersOfOne = row(
  "UNAUTHORIZED",
  "FORBIDDEN",
  "FORBIDDEN",
  "FORBIDDEN",
  "FORBIDDEN",
  "ok",
  "NOT_FOUND",
  "ok",
);
export const editors = row("UNAUTHORIZED", "FORBIDDEN", "FORBIDDEN", "NOT_FOUND", "ok", "FORBIDDEN", "FORBIDDEN", "ok");

export const refusedByRule = (answer: Answer) => [answer, answer, answer, answer, answer] as const;
export const six = (answer: Answer) => [answer, ...refusedByRule(answer)] as const;
export const nowhere = ["NOT_FOUND", "NOT_FOUND", "NOT_FOUND", "NOT_FOUND", "NOT_FOUND"] as const;

/** Of a comment: only who wrote it. */
export const authors = {
  ofInvolved: row("UNAUTHORIZED", "FORBIDDEN", "FORBIDDEN", "NOT_FOUND", "ok", "FORBIDDEN", "NOT_FOUND", "FORBIDDEN"),
  ofClient: row("UNAUTHORIZED", "FORBIDDEN", "FORBIDDEN", "NOT_FOUND", "FORBIDDEN", "ok", "NOT_FOUND", "FORBIDDEN"),
};
export const writers = row("UNAUTHORIZED", "FORBIDDEN", "FORBIDDEN", "NOT_FOUND", "ok", "FORBIDDEN", "NOT_FOUND", "ok");

/** Of a project whose managers the involved user is not among. */
export const managers = row(
  ...(["UNAUTHORIZED", "FORBIDDEN", "FORBIDDEN", "NOT_FOUND", "FORBIDDEN", "FORBIDDEN", "FORBIDDEN", "ok"] as const),
);
/** Of what the client was asked. */
export const signers = row(
  ...(["UNAUTHORIZED", "FORBIDDEN", "FORBIDDEN", "FORBIDDEN", "FORBIDDEN", "ok", "NOT_FOUND", "FORBIDDEN"] as const),
);
/** Of a request: who decides is a manager, who answers the client. */
export const deciders = row(
  "UNAUTHORIZED",
  "FORBIDDEN",
  "FORBIDDEN",
  "NOT_FOUND",
  "ok",
  "FORBIDDEN",
  "FORBIDDEN",
  "ok",
);
export const answering = (ofClient: Answer) =>
  row("UNAUTHORIZED", "FORBIDDEN", "FORBIDDEN", "NOT_FOUND", "FORBIDDEN", ofClient, "NOT_FOUND", "FORBIDDEN");

/** Of a conversation: only who takes part, which an admin does not by being one. */
export const participants = {
  involved: row("UNAUTHORIZED", "FORBIDDEN", "FORBIDDEN", "NOT_FOUND", "ok", "NOT_FOUND", "NOT_FOUND", "NOT_FOUND"),
  client: row("UNAUTHORIZED", "FORBIDDEN", "FORBIDDEN", "NOT_FOUND", "NOT_FOUND", "ok", "NOT_FOUND", "NOT_FOUND"),
  admin: row("UNAUTHORIZED", "FORBIDDEN", "FORBIDDEN", "NOT_FOUND", "NOT_FOUND", "NOT_FOUND", "NOT_FOUND", "ok"),
};

export type Entry = {
  row: Row;
  /** What every API key gets; unset: what its owner gets. */
  key?: Answer;
  /** What one of the client's people gets; unset: what the client gets. */
  clientPerson?: Answer;
  call: (caller: TestCaller, objects: Objects, db: TestDatabase["db"]) => Promise<unknown>;
};

/** By the procedure's path, with what is special about the call in brackets. */
export type Rows = Record<string, Entry>;

export async function openAndClose(opening: Promise<AsyncIterable<unknown>>): Promise<string> {
  const iterator = (await opening)[Symbol.asyncIterator]();
  await iterator.return?.();
  return "opened";
}
