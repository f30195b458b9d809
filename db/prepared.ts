import type { createDeadlines } from "./deadlines";

type Watch = ReturnType<typeof createDeadlines>["watch"];

/** Above it a statement is a list of some length. Each length is a text of its own, and PostgreSQL would keep them all. */
const MAX_PARAMETERS = 40;
/** Each try prepares one outdated statement of one connection again. */
const MAX_TRIES = 30;

/**
 * Drizzle's client, with each statement prepared once a connection: drizzle has every call parsed and planned anew, which costs
 * as much as running it. postgres.js prepares again what a migration has outdated, but not within a transaction, which has
 * failed by then: so **a transaction's callback may run again from its start**, up to 30 times, and must have no effects
 * outside the database. Each run ends within `writeTimeoutMs` (db/deadlines.ts).
 */
export function withPreparedStatements<Client extends object>(client: Client, watch: Watch): Client {
  return new Proxy(client, {
    get(target, name) {
      const member: unknown = Reflect.get(target, name);
      if (typeof member !== "function") return member;
      if (name === "unsafe") {
        return (text: string, parameters: unknown[] = [], options: object = {}) => {
          const prepare = parameters.length <= MAX_PARAMETERS;
          return Reflect.apply(member, target, [text, parameters, { ...options, prepare }]);
        };
      }
      if (name !== "begin" && name !== "savepoint") return member;
      const run = (...given: unknown[]) =>
        Reflect.apply(
          member,
          target,
          withScope(given, (scope) => withPreparedStatements(scope, watch)),
        );
      if (name === "savepoint") return run;
      return (...given: unknown[]) => retryOutdatedPlans(() => destroyAtDeadline(watch, run, given));
    },
  });
}

/** What a transaction's callback is given; `destroy` is of the patched driver (patches/). */
interface Scope {
  destroy?: (error: Error) => void;
}

/** The arguments of `begin` or `savepoint`, whose callback is given what `map` makes of its scope. */
function withScope(given: unknown[], map: (scope: Scope) => Scope): unknown[] {
  return given.map((one) =>
    typeof one === "function" ? (scope: Scope) => Reflect.apply(one, undefined, [map(scope)]) : one,
  );
}

/** Runs a transaction. When it takes too long as a whole, its connection is destroyed, which rejects it. */
async function destroyAtDeadline(
  watch: Watch,
  run: (...given: unknown[]) => unknown,
  given: unknown[],
): Promise<unknown> {
  let destroy: Scope["destroy"];
  const call = watch({ destroy: (error) => destroy?.(error) });
  const keepDestroy = (scope: Scope) => {
    destroy = scope.destroy;
    return scope;
  };
  try {
    return await run(...withScope(given, keepDestroy));
  } finally {
    call.settled();
  }
}

async function retryOutdatedPlans(run: () => Promise<unknown>): Promise<unknown> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await run();
    } catch (error) {
      if (tries === MAX_TRIES || !isOutdatedPlan(error)) throw error;
    }
  }
}

/** "cached plan must not change result type", as the driver throws it or as drizzle wraps it. */
function isOutdatedPlan(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return ("code" in error && error.code === "0A000") || isOutdatedPlan(error.cause);
}
