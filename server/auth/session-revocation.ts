import type { Db } from "../../db/client";
import { describeError, type Logger } from "../core/logger";
import type { Feed } from "../realtime/hub";
import { findLiveTokens } from "./queries";

/** The open connections of this process, by session token. */
export interface Connections {
  tokens(): string[];
  /** Closes the connections with one of these tokens. */
  closeEnded(tokens: ReadonlySet<string>): void;
}

/**
 * Closes the sockets of ended sessions, in every process: after each notification about an account, and on the hub's safety
 * timer in case the listening connection was down. Streams end first, by themselves and with the reason.
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
        // Only tokens that the query was about: it knows nothing of connections opened since.
        (live) => connections.closeEnded(new Set(tokens.filter((token) => !live.has(token)))),
        // Without the database nobody can read anything either. The next wake-up tries again.
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
