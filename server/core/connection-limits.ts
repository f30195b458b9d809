import { MESSAGES } from "../contract/messages";
import { retrySentence } from "../contract/messages/retry";
import { createConcurrencyLimit } from "./concurrency-limit";
import { DomainError } from "./errors";

/** access.md, Limits: how many may be open at a time. Never switched off. */
export const CONNECTION_LIMITS = {
  sockets: { perPerson: 40, perAddress: 1_000 },
  eventStreams: { perPerson: 100, perAddress: 2_000 },
  /** Of one address, both kinds together. */
  withoutSession: 100,
};

const RETRY_AFTER_SECONDS = 5;

/** One open connection, counted until it is released. */
export interface CountedConnection {
  /**
   * Whose it is, once that is known; null for nobody's. Throws TOO_MANY_REQUESTS when that person, or those of the address
   * without a session, have too many; it stays counted for the address until it is released.
   */
  setOwner(personId: string | null): void;
  /** To be called when the connection is over; more than once does no harm. */
  release(): void;
}

export interface ConnectionCounter {
  /**
   * Counts a connection or throws TOO_MANY_REQUESTS. `isClaimed`: it sent a cookie or key that may be of a session, which
   * `setOwner` is to settle; without it the connection counts as one without a session.
   */
  admit(connection: { address: string; isClaimed: boolean }): CountedConnection;
  /** How many are open. */
  size(): number;
}

export interface ConnectionLimits {
  sockets: ConnectionCounter;
  eventStreams: ConnectionCounter;
}

/** The counts of this process. */
export function createConnectionLimits(): ConnectionLimits {
  const withoutSession = createConcurrencyLimit(CONNECTION_LIMITS.withoutSession, tooManyConnections);

  function counter({ perPerson, perAddress }: { perPerson: number; perAddress: number }): ConnectionCounter {
    const ofAddress = createConcurrencyLimit(perAddress, tooManyConnections);
    const ofPerson = createConcurrencyLimit(perPerson, tooManyConnections);
    const open = new Set<CountedConnection>();
    return {
      size: () => open.size,
      admit({ address, isClaimed }) {
        const releaseAddress = ofAddress.acquire(address);
        let releaseOwner = () => {};
        let isOver = false;
        const connection = {
          setOwner(personId: string | null) {
            if (isOver) return;
            releaseOwner();
            releaseOwner = () => {};
            releaseOwner = personId === null ? withoutSession.acquire(address) : ofPerson.acquire(personId);
          },
          release() {
            isOver = true;
            open.delete(connection);
            releaseOwner();
            releaseAddress();
          },
        };
        open.add(connection);
        try {
          if (!isClaimed) connection.setOwner(null);
        } catch (error) {
          connection.release();
          throw error;
        }
        return connection;
      },
    };
  }

  return { sockets: counter(CONNECTION_LIMITS.sockets), eventStreams: counter(CONNECTION_LIMITS.eventStreams) };
}

function tooManyConnections(): DomainError {
  const message = `${MESSAGES.limits.tooManyConnections} ${retrySentence(RETRY_AFTER_SECONDS)}`;
  return new DomainError("TOO_MANY_REQUESTS", message, {
    reason: "too-many-connections",
    retryAfterSeconds: RETRY_AFTER_SECONDS,
  });
}
