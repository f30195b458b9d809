import type { Db } from "../../db/client";
import type { Visitor } from "../core/app-documents";
import type { Session } from "../core/context";
import { describeError, type Logger } from "../core/logger";
import { createKeyUse, readKeyToken, UNREADABLE_KEY } from "./api-keys";
import { createFailedKeys } from "./failed-keys";
import { findSession } from "./queries";

export interface SessionReader {
  /** The token of the session that a request claims, by its API key or its signed cookie; null when it brings neither. */
  readToken(headers: Headers): string | null;
  /**
   * That session as it is now, or null. Throws RateLimitedError for a key from an address that brought too many wrong ones.
   * `find` is `findSession` with more in the same statement.
   */
  readSession(headers: Headers, address: string, find?: FindSession): Promise<Session | null>;
  /** Whose connection it is that came with these headers, as `ownerOf` says. */
  findOwner(headers: Headers, address: string): Promise<string | null>;
  /** Who opens a page in a browser, by the cookie alone; "unknown" for an account that may not sign in. */
  findVisitor(headers: Headers): Promise<Visitor>;
}

type FindSession = (token: string) => Promise<Session | null>;

/** Reads the session of a request. When an API key is sent, only that counts. */
export function createSessionReader({
  db,
  readCookie,
  logger,
}: {
  db: Db;
  readCookie: (headers: Headers) => string | null;
  logger: Logger;
}): SessionReader {
  const noteUse = createKeyUse(db, { onError: (error) => logger.warn("key use", describeError(error)) });
  const countFailure = createFailedKeys();

  const findByToken: FindSession = (token) => findSession(db, { token });

  async function readSession(headers: Headers, address: string, find = findByToken): Promise<Session | null> {
    const key = readKeyToken(headers);
    if (key === null) {
      const token = readCookie(headers);
      return token === null ? null : find(token);
    }
    const session = await countFailure(address, async () => (key === UNREADABLE_KEY ? null : find(key)));
    if (session) noteUse(session.id);
    return session;
  }

  return {
    readToken: (headers) => readKeyToken(headers) ?? readCookie(headers),
    readSession,
    findOwner: async (headers, address) => ownerOf(await readSession(headers, address)),
    async findVisitor(headers) {
      const token = readCookie(headers);
      const session = token === null ? null : await findByToken(token);
      if (!session) return "signed-out";
      return ownerOf(session) === null ? "unknown" : session.actor.accountType;
    },
  };
}

/** Whose connection it is that came with this session: the person's id, or null when the account may not sign in. */
export function ownerOf(session: Session | null): string | null {
  return session?.actor.accountStatus === "active" ? session.actor.id : null;
}
