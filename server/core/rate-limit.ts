import { RateLimiterMemory, RateLimiterPostgres, RateLimiterRes } from "rate-limiter-flexible";
import type { Sql } from "../../db/client";
import { MESSAGES } from "../contract/messages";
import { retrySentence } from "../contract/messages/retry";
import { DomainError } from "./errors";

const MINUTE = 60;
const HOUR = 3600;

/** access.md, Limits: how many in how many seconds. `memory` counts in this process, all others in PostgreSQL. */
export const RULES = {
  signInFailure: { points: 10, seconds: 15 * MINUTE },
  signInFailureOfAddress: { points: 50, seconds: 15 * MINUTE },
  /** Second factors: by account, since only somebody who has the password comes so far. */
  codeFailure: { points: 10, seconds: 15 * MINUTE },
  google: { points: 200, seconds: HOUR },
  signUp: { points: 20, seconds: HOUR },
  passwordReset: { points: 5, seconds: HOUR },
  emailConfirmation: { points: 5, seconds: HOUR },
  invitation: { points: 5, seconds: HOUR },
  testMail: { points: 10, seconds: HOUR },
  vitals: { points: 300, seconds: HOUR, memory: true },
  inquiry: { points: 10, seconds: HOUR },
  calendar: { points: 600, seconds: HOUR, memory: true },
  message: { points: 60, seconds: MINUTE },
  write: { points: 300, seconds: MINUTE },
  read: { points: 3000, seconds: MINUTE, memory: true },
  typing: { points: 60, seconds: MINUTE, memory: true },
} as const satisfies Record<string, { points: number; seconds: number; memory?: boolean }>;

export type LimitName = keyof typeof RULES;

/** TOO_MANY_REQUESTS, reason `limited`: the sentence, the details and Retry-After say when to try again. */
export class RateLimitedError extends DomainError {
  override readonly retryAfterSeconds: number;

  constructor(retryAfterSeconds: number) {
    const message = `${MESSAGES.general.tooMany} ${retrySentence(retryAfterSeconds)}`;
    super("TOO_MANY_REQUESTS", message, { reason: "limited" });
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

export interface Limits {
  /** Throws RateLimitedError like `consume` when there were too many already, and counts nothing. */
  check(name: LimitName, key: string): Promise<void>;
  /** Counts one of `key` (a person, an address, or both) and throws RateLimitedError when there were too many. */
  consume(name: LimitName, key: string): Promise<void>;
  /** Takes one back: what was counted turned out not to count, such as a sign-in that succeeded. */
  giveBack(name: LimitName, key: string): Promise<void>;
  /** Removes counts that no longer count. */
  sweep(): Promise<void>;
}

/** What is given back may not be held against anybody in the memory of a process. */
const GIVEN_BACK: ReadonlySet<LimitName> = new Set<LimitName>([
  "signInFailure",
  "signInFailureOfAddress",
  "codeFailure",
]);

/** `multiplier` scales every rule; 0 switches them off. */
export function createLimits({ sql, multiplier }: { sql: Sql; multiplier: number }): Limits {
  const sweep = async () => void (await sql`delete from rate_limits where expire < ${Date.now()}`);
  if (multiplier === 0) return { check: async () => {}, consume: async () => {}, giveBack: async () => {}, sweep };
  const storeClient = queryable(sql);
  const limiterOf = (name: LimitName) => {
    const rule = RULES[name];
    const points = Math.ceil(rule.points * multiplier);
    const options = { keyPrefix: name, points, duration: rule.seconds };
    if ("memory" in rule) return new BoundedMemory(options);
    return new RateLimiterPostgres({
      ...options,
      storeClient,
      storeType: "client",
      tableName: "rate_limits",
      tableCreated: true,
      clearExpiredByTimeout: false,
      // From the last one that is allowed on, this process refuses without asking the database: nothing more is written.
      ...(!GIVEN_BACK.has(name) && { inMemoryBlockOnConsumed: points }),
    });
  };
  const limiters = new Map<LimitName, ReturnType<typeof limiterOf>>();
  const limiter = (name: LimitName) => {
    const found = limiters.get(name) ?? limiterOf(name);
    limiters.set(name, found);
    return found;
  };
  return {
    async check(name, key) {
      const found = await limiter(name).get(key);
      if (found && found.consumedPoints >= limiter(name).points) throw refusalOf(found);
    },
    async consume(name, key) {
      try {
        await limiter(name).consume(key);
      } catch (refused) {
        throw refused instanceof RateLimiterRes ? refusalOf(refused) : refused;
      }
    },
    async giveBack(name, key) {
      await limiter(name).reward(key);
    },
    sweep,
  };
}

function refusalOf({ msBeforeNext }: RateLimiterRes): RateLimitedError {
  return new RateLimitedError(Math.max(1, Math.ceil(msBeforeNext / 1000)));
}

/** More addresses than this at a time belong to somebody whom no count of addresses holds. */
const MAX_KEYS = 20_000;

/** Forgets whom it has counted longest when there are too many. */
class BoundedMemory extends RateLimiterMemory {
  readonly #keys = new Set<string>();

  override consume(key: string): Promise<RateLimiterRes> {
    const [oldest] = this.#keys;
    if (!this.#keys.has(key) && this.#keys.size >= MAX_KEYS && oldest !== undefined) {
      this.#keys.delete(oldest);
      void this.delete(oldest);
    }
    this.#keys.add(key);
    return super.consume(key);
  }
}

/** The library speaks to clients in the manner of `pg`. */
function queryable(sql: Sql) {
  return {
    async query({ text, values }: { text: string; values: (string | number | null)[] }) {
      const rows = await sql.unsafe(text, values, { prepare: true });
      return { rows: [...rows], rowCount: rows.count };
    },
  };
}
