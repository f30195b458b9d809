import type { createDeadlines } from "./deadlines";

type Watch = ReturnType<typeof createDeadlines>["watch"];

/** Statements with more are lists of some length, each length a text of its own: PostgreSQL would keep them all. */
const MAX_PARAMETERS = 40;
/** Each try mends one statement of one connection. */
const MAX_TRIES = 30;

/**
 * The client as drizzle sees it: each statement is prepared once a connection. Drizzle would have every call parsed and planned
 * anew, which costs as much as running it. What a migration outdates, postgres.js prepares again by itself; not within a
 * transaction, which has failed by then, so that a transaction begins again.
 */
export function preparing<Client extends object>(client: Client, watch: Watch): Client {
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
          given.map((one) =>
            typeof one === "function"
              ? (scope: object) => Reflect.apply(one, undefined, [preparing(scope, watch)])
              : one,
          ),
        );
      if (name === "savepoint") return run;
      return (...given: unknown[]) => againWhileOutdated(() => withinDeadline(watch, run, given));
    },
  });
}

/** Runs a transaction whose connection is destroyed when it takes too long as a whole: that rejects it. */
async function withinDeadline(watch: Watch, run: (...given: unknown[]) => unknown, given: unknown[]): Promise<unknown> {
  let destroy: ((error: Error) => void) | null = null;
  const settled = watch((error) => destroy?.(error));
  const noting = given.map((one) =>
    typeof one === "function"
      ? (scope: { destroy?: (error: Error) => void }) => {
          destroy = scope.destroy ?? null;
          return Reflect.apply(one, undefined, [scope]);
        }
      : one,
  );
  try {
    return await run(...noting);
  } finally {
    settled();
  }
}

async function againWhileOutdated(run: () => Promise<unknown>): Promise<unknown> {
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
