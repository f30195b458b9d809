import type { Db } from "../../db/client";
import { describeError, type Logger } from "../core/logger";
import type { Feed } from "../realtime/hub";
import { findLiveTokens } from "./queries";

/** The open connections of this process, by the session token that each came with. */
export interface Connections {
  tokens(): string[];
  /** Closes those with one of these tokens. */
  closeEnded(tokens: ReadonlySet<string>): void;
}

/**
 * Closes the sockets of sessions that have ended, on every process: at each announcement about an account, and by the hub's
 * safety timer when the listening connection was away. Streams end by themselves, with the reason, before their socket does.
 */
export function startSessionRevocation({
  db,
  feed,
  connections,
  logger,
}: {
  db: Db;
  feed: Feed;
  connections: Connections;
  logger: Logger;
}): { close(): Promise<void> } {
  const subscription = feed.open();
  subscription.join("accounts");
  const work = async () => {
    while (await subscription.next(undefined)) {
      const tokens = connections.tokens();
      if (tokens.length === 0) continue;
      await findLiveTokens(db, tokens).then(
        // Only what was asked about: who has connected meanwhile is not among the answers.
        (live) => connections.closeEnded(new Set(tokens.filter((token) => !live.has(token)))),
        // The database is away: nobody can read anything either; the next wake-up tries again.
        (error: unknown) => logger.warn("session revocation", describeError(error)),
      );
    }
  };
  const done = work();
  return {
    async close() {
      subscription.close();
      await done;
    },
  };
}
