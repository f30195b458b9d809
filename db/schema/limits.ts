import { bigint, index, integer, pgTable, text } from "drizzle-orm/pg-core";

/** Counters of the rate limits that all processes share, in the shape of rate-limiter-flexible; `expire` in milliseconds. */
export const rateLimits = pgTable(
  "rate_limits",
  {
    key: text().primaryKey(),
    points: integer().notNull().default(0),
    expire: bigint({ mode: "number" }),
  },
  (t) => [index("rate_limits_expire_idx").on(t.expire)],
);
