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
  google: { points: 200, seconds: HOUR },
  signUp: { points: 20, seconds: HOUR },
  passwordReset: { points: 5, seconds: HOUR },
  emailConfirmation: { points: 5, seconds: HOUR },
  vitals: { points: 300, seconds: HOUR, memory: true },
  inquiry: { points: 10, seconds: HOUR },
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

/** The header that says when to come back, if any call of a batch was refused for a time. */
export function retryAfter(errors: readonly { cause?: unknown }[]): Record<string, string> {
  const waits = errors.flatMap(({ cause }) => (cause instanceof DomainError ? (cause.retryAfterSeconds ?? []) : []));
  return waits.length > 0 ? { "retry-after": String(Math.max(...waits)) } : {};
}

export interface Limits {
  /** Counts one of `key` (a person, an address, or both) and throws RateLimitedError when there were too many. */
  consume(name: LimitName, key: string): Promise<void>;
  /** Takes one back: what was counted turned out not to count, such as a sign-in that succeeded. */
  giveBack(name: LimitName, key: string): Promise<void>;
}

/** `multiplier` scales every rule; 0 switches them off. */
export function createLimits({ sql, multiplier }: { sql: Sql; multiplier: number }): Limits {
  if (multiplier === 0) return { consume: async () => {}, giveBack: async () => {} };
  const storeClient = queryable(sql);
  const limiterOf = (name: LimitName) => {
    const rule = RULES[name];
    const options = { keyPrefix: name, points: Math.ceil(rule.points * multiplier), duration: rule.seconds };
    if ("memory" in rule) return new RateLimiterMemory(options);
    return new RateLimiterPostgres({
      ...options,
      storeClient,
      storeType: "client",
      tableName: "rate_limits",
      tableCreated: true,
      clearExpiredByTimeout: true,
    });
  };
  const limiters = new Map<LimitName, ReturnType<typeof limiterOf>>();
  const limiter = (name: LimitName) => {
    const found = limiters.get(name) ?? limiterOf(name);
    limiters.set(name, found);
    return found;
  };
  return {
    async consume(name, key) {
      try {
        await limiter(name).consume(key);
      } catch (refused) {
        if (refused instanceof RateLimiterRes) throw new RateLimitedError(Math.ceil(refused.msBeforeNext / 1000));
        throw refused;
      }
    },
    async giveBack(name, key) {
      await limiter(name).reward(key);
    },
  };
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
