/** A call that the database did not answer in time; its connection is destroyed. What a write did is not known. */
export class DatabaseTimeoutError extends Error {
  override readonly name = "DatabaseTimeoutError";
  readonly code = "DATABASE_TIMEOUT";

  constructor(timeoutMs: number) {
    super(`The database did not answer within ${timeoutMs} ms.`);
  }
}

/** How long calls may take; null for no limit, which only start-up work has. */
export interface Timeouts {
  readTimeoutMs: number | null;
  /** Of everything but a single read, and of a transaction as a whole. */
  writeTimeoutMs: number | null;
}

/** What postgres.js gives to `onquery` (patches/): a query that begins to wait. */
interface DriverQuery {
  strings: readonly string[];
  resolve: (answer: unknown) => void;
  reject: (error: unknown) => void;
  /** Ends the connection that the query is on, or takes it out of the line for one. Rejects it either way. */
  destroy: (error: Error) => void;
}

const SWEEPS_PER_TIMEOUT = 20;
const MAX_SWEEP_MS = 250;
const MAX_KNOWN_TEXTS = 2_000;

/**
 * Bounds the time of all calls of one pool. `onquery` is for the driver's option of that name; `watch` bounds a call of several
 * queries, of which `expire` has to end the connection.
 */
export function createDeadlines({ readTimeoutMs, writeTimeoutMs }: Timeouts) {
  const reads = new CallTimer(readTimeoutMs);
  const writes = new CallTimer(writeTimeoutMs);
  const isRead = createReadTest();
  return {
    onquery(query: DriverQuery): void {
      const timer = isRead(query.strings) ? reads : writes;
      const settled = timer.start((error) => query.destroy(error));
      const { resolve, reject } = query;
      query.resolve = (answer) => {
        settled();
        resolve(answer);
      };
      query.reject = (error) => {
        settled();
        reject(error);
      };
    },
    watch: (expire: (error: DatabaseTimeoutError) => void) => writes.start(expire),
    /** How long the call that is most overdue has been pending past its deadline; 0 when none is. */
    overdueMs: () => Math.max(reads.overdueMs(), writes.overdueMs()),
  };
}

/** A pending call. */
interface Call {
  deadlineMs: number;
  /** Null once the call has settled: see `#pending`. */
  expire: ((error: DatabaseTimeoutError) => void) | null;
}

/** Pending calls with one timeout, the oldest first. One timer for all of them, and only while there are any. */
class CallTimer {
  readonly #timeoutMs: number | null;
  /**
   * V8 keeps the tables that a set has outgrown until its next full collection, with all that was in them: a settled call holds
   * nothing, or a third of all queries would outlive their answers, rows included.
   */
  readonly #pending = new Set<Call>();
  readonly #expired = new Set<Call>();
  #sweep: NodeJS.Timeout | null = null;

  constructor(timeoutMs: number | null) {
    this.#timeoutMs = timeoutMs;
  }

  /** `expire` runs once the time is over. To be called when the call has settled. */
  start(expire: (error: DatabaseTimeoutError) => void): () => void {
    if (this.#timeoutMs === null) return () => {};
    const call: Call = { deadlineMs: performance.now() + this.#timeoutMs, expire };
    this.#pending.add(call);
    this.#sweep ??= this.#scheduleSweep(this.#timeoutMs);
    return () => {
      call.expire = null;
      this.#pending.delete(call);
      this.#expired.delete(call);
    };
  }

  overdueMs(): number {
    const [call] = this.#expired;
    return call === undefined ? 0 : performance.now() - call.deadlineMs;
  }

  #scheduleSweep(timeoutMs: number): NodeJS.Timeout {
    const sweep = () => {
      this.#expireOverdue(timeoutMs);
      this.#sweep = this.#pending.size > 0 ? this.#scheduleSweep(timeoutMs) : null;
    };
    return setTimeout(sweep, Math.min(MAX_SWEEP_MS, timeoutMs / SWEEPS_PER_TIMEOUT)).unref();
  }

  #expireOverdue(timeoutMs: number): void {
    const nowMs = performance.now();
    // A snapshot: what is rejected may lead to new calls at once.
    for (const call of [...this.#pending]) {
      if (call.deadlineMs > nowMs) return;
      // Settled meanwhile, by the end of a connection that it shared.
      if (!this.#pending.delete(call)) continue;
      this.#expired.add(call);
      call.expire?.(new DatabaseTimeoutError(timeoutMs));
    }
  }
}

/** Whether a statement only reads, as far as its text says. Texts with common table expressions are looked through once. */
function createReadTest(): (strings: readonly string[]) => boolean {
  const known = new Map<string, boolean>();
  return (strings) => {
    const [text = ""] = strings;
    if (/^\s*select\b/i.test(text)) return true;
    if (!/^\s*with\b/i.test(text)) return false;
    const isRead = known.get(text) ?? !/\b(insert|update|delete|merge)\b/i.test(strings.join(" "));
    if (known.size < MAX_KNOWN_TEXTS) known.set(text, isRead);
    return isRead;
  };
}

/** Of the driver, of the deadline, and of PostgreSQL: for now no connection, no lock, or no more time. */
const CODES =
  /^(CONNECTION_(CLOSED|ENDED|DESTROYED)|CONNECT_TIMEOUT|DATABASE_TIMEOUT|08...|53300|57P0.|57014|55P03|25P03|25P04)$/;
/** Of a socket. They say the same of other connections, so only a query's count. */
const SOCKET_CODES = /^(E[A-Z]+|EAI_\w+|ERR_(STREAM|SOCKET)_\w+)$/;

/**
 * Whether a call failed because the database could not answer it now, and not for what was asked: the same may go through in a
 * moment. What a write did is then not known. Looks through the causes too.
 */
export function isUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code = "code" in error ? String(error.code) : "";
  return CODES.test(code) || ("query" in error && SOCKET_CODES.test(code)) || isUnavailable(error.cause);
}
