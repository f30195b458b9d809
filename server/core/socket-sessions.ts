import type { WebSocket } from "ws";
import type { CountedConnection } from "./connection-limits";
import { DomainError } from "./errors";
import type { Logger } from "./logger";

/** Of the range for applications: the session that the connection came with is over, or there never was one. */
export const SESSION_ENDED = 4401;
/** There are too many connections, as HTTP's 429: the client comes back later. */
const TOO_MANY = 4429;

/** What a peer has to answer a close before its connection is cut: a slow network or a busy peer still learns the reason. */
const CLOSE_MS = 2_000;

interface SocketSession {
  /** Finds out whose socket it is by what it has brought; what is brought later counts instead. */
  identify(findOwner: () => Promise<string | null>): void;
}

/**
 * Sees to it that a socket is somebody's: one that has brought no session within `sessionlessMs` is closed, and so is one too
 * many of its person. While the database gives no answer, nobody is closed for want of it.
 */
export function superviseSession(
  client: WebSocket,
  { connection, sessionlessMs, logger }: { connection: CountedConnection; sessionlessMs: number; logger: Logger },
): SocketSession {
  let findOwner: (() => Promise<string | null>) | null = null;
  let isPending = false;

  async function ask(question: () => Promise<string | null>): Promise<void> {
    isPending = true;
    try {
      const owner = await question();
      // Meanwhile it has brought something else.
      if (question !== findOwner) return;
      findOwner = null;
      connection.setOwner(owner);
      if (owner !== null) clearInterval(deadline);
    } catch (error) {
      if (!(error instanceof DomainError)) return;
      logger.debug("socket refused", { reason: error.reason });
      closeSocket(client, TOO_MANY);
    } finally {
      if (question === findOwner || findOwner === null) isPending = false;
    }
  }

  const deadline = setInterval(() => {
    if (isPending) return;
    if (findOwner === null) closeSocket(client, SESSION_ENDED);
    // It could not be answered: once more.
    else void ask(findOwner);
  }, sessionlessMs);
  deadline.unref();
  client.once("close", () => clearInterval(deadline));

  return {
    identify(question) {
      findOwner = question;
      void ask(question);
    },
  };
}

/** Says why, and cuts the connection when the peer does not answer. */
export function closeSocket(client: WebSocket, code: number): void {
  client.close(code);
  setTimeout(() => client.terminate(), CLOSE_MS).unref();
}
