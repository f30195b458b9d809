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
  /** Of everything but a single read: of a transaction's statements too, and of it as a whole. */
  writeTimeoutMs: number | null;
}

/** What has a deadline. */
interface Bounded {
  /** Ends the connection that it is on, or takes it out of the line for one. Rejects it either way. */
  destroy: (error: Error) => void;
}

/** What postgres.js gives to `onquery` (patches/): a query that begins to wait. It tells the answer when it has settled. */
export interface DriverQuery extends Bounded {
  strings: readonly string[];
  /** That of its transaction; null for a query by itself. */
  connection: object | null;
  reject: (error: unknown) => unknown;
}

const SWEEPS_PER_TIMEOUT = 20;
const MAX_SWEEP_MS = 250;
const MAX_KNOWN_TEXTS = 2_000;

/**
 * Bounds the time of all calls of one pool. `onquery` is for the driver's option of that name; `watch` bounds a call of several
 * queries.
 */
export function createDeadlines({ readTimeoutMs, writeTimeoutMs }: Timeouts) {
  const reads = new CallTimer(readTimeoutMs);
  const writes = new CallTimer(writeTimeoutMs);
  const isRead = createReadTest();
  return {
    // A read in a transaction may wait for a lock, which a write has time for.
    onquery: (query: DriverQuery): Call =>
      (query.connection === null && isRead(query.strings) ? reads : writes).start(query),
    watch: (call: Bounded): Call => writes.start(call),
    /** How long the call that is most overdue has been pending past its deadline; 0 when none is. */
    overdueMs: () => Math.max(reads.overdueMs(), writes.overdueMs()),
    /** How long the oldest pending call has been pending; 0 when there is none. */
    oldestMs: () => Math.max(reads.oldestMs(), writes.oldestMs()),
  };
}

/**
 * A pending call. No closures: V8 keeps those that a query refers to, and the query, until its next full collection. A settled call
 * refers to nothing, as the tables that a set has outgrown are kept as long, with all that was in them.
 */
class Call {
  readonly deadlineMs: number;
  target: Bounded | null;
  readonly #timer: CallTimer;

  constructor(timer: CallTimer, { deadlineMs, target }: { deadlineMs: number; target: Bounded | null }) {
    this.#timer = timer;
    this.deadlineMs = deadlineMs;
    this.target = target;
  }

  /** To be called when the call has settled. */
  settled(): void {
    this.target = null;
    this.#timer.forget(this);
  }
}

/** Pending calls with one timeout, the oldest first. One timer for all of them, and only while there are any. */
class CallTimer {
  readonly #timeoutMs: number | null;
  readonly #pending = new Set<Call>();
  readonly #expired = new Set<Call>();
  #sweep: NodeJS.Timeout | null = null;

  constructor(timeoutMs: number | null) {
    this.#timeoutMs = timeoutMs;
  }

  /** Destroys the target once the time is over. */
  start(target: Bounded): Call {
    if (this.#timeoutMs === null) return new Call(this, { deadlineMs: Number.POSITIVE_INFINITY, target: null });
    const call = new Call(this, { deadlineMs: performance.now() + this.#timeoutMs, target });
    this.#pending.add(call);
    this.#sweep ??= this.#scheduleSweep(this.#timeoutMs);
    return call;
  }

  forget(call: Call): void {
    this.#pending.delete(call);
    this.#expired.delete(call);
  }

  overdueMs(): number {
    const [call] = this.#expired;
    return call === undefined ? 0 : performance.now() - call.deadlineMs;
  }

  oldestMs(): number {
    const [call] = this.#expired.size > 0 ? this.#expired : this.#pending;
    return call === undefined ? 0 : performance.now() - call.deadlineMs + (this.#timeoutMs ?? 0);
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
      call.target?.destroy(new DatabaseTimeoutError(timeoutMs));
    }
  }
}

/**
 * Bounds the calls of a transaction that may take as long as it needs, on a connection of its own: once one has waited for so long
 * without a byte from the database, the connection is destroyed. `received` says how many have come. `stop` ends the watch.
 */
export function createSilenceLimit(maxSilenceMs: number, received: () => number) {
  const pending = new Set<DriverQuery>();
  let known = 0;
  let sinceMs = 0;
  const sweep = () => {
    const nowMs = performance.now();
    const bytes = received();
    if (bytes !== known) {
      known = bytes;
      sinceMs = nowMs;
    }
    if (nowMs - sinceMs < maxSilenceMs) return;
    for (const call of [...pending]) call.destroy(new DatabaseTimeoutError(maxSilenceMs));
  };
  const timer = setInterval(sweep, maxSilenceMs / SWEEPS_PER_TIMEOUT).unref();
  return {
    onquery(query: DriverQuery) {
      if (pending.size === 0) sinceMs = performance.now();
      pending.add(query);
      return { settled: () => void pending.delete(query) };
    },
    stop: () => clearInterval(timer),
  };
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

/**
 * Of the driver, of the deadline, and of PostgreSQL: for now no connection, no lock, or no more time. Whoever is picked to end a
 * deadlock has written nothing.
 */
const CODES =
  /^(CONNECTION_(CLOSED|ENDED|DESTROYED)|CONNECT_TIMEOUT|DATABASE_TIMEOUT|08...|53300|57P0.|57014|55P03|40P01|25P03|25P04)$/;
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
