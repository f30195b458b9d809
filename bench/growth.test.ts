import { afterAll, beforeAll, expect, test } from "vitest";
import { createTestCallers } from "../server/test/caller";
import { createTestDatabase, type TestDatabase } from "../server/test/db";
import { fillScreens, growElsewhere, makeScreens } from "./lib/growing-firm";
import { costOf, exponentOf, GROWTH_CALLS, MAX_EXPONENT } from "./lib/growth-calls";

/** The short form of `npm run bench growth`: pages are counted, so that a busy machine changes nothing. */
const SIZES = [0.5, 4];
const ONCE = { warmUps: 1, times: 1 };

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase({ max: 1, readTimeoutMs: 60_000, statementTimeoutMs: null });
});
afterAll(() => database.close());

test("what a screen costs does not grow with what it does not show", async () => {
  const { db, sql } = database;
  // Small tables are read whole, larger ones by index: that change of plan would look like growth, and costs nobody anything.
  await sql`set enable_seqscan = off`;
  await sql`set random_page_cost = 1.1`;
  // The plan that a prepared statement has after five calls, from the first one on.
  await sql`set plan_cache_mode = force_generic_plan`;
  const screens = await makeScreens(db);
  await fillScreens(sql, screens);
  const callers = createTestCallers(db);
  const calls = GROWTH_CALLS.map((call) => ({ ...call, points: [] as { size: number; cost: number }[] }));
  for (const [at, size] of SIZES.entries()) {
    await growElsewhere(database, { from: SIZES[at - 1] ?? 0, to: size });
    for (const { who, call, points } of calls) {
      const caller = await callers.as(screens[who]);
      points.push({ size, cost: (await costOf(sql, () => call(caller, screens, db), ONCE)).pages });
    }
  }
  const growing = calls
    .filter(({ points, showsAll }) => exponentOf(points) > (showsAll ? MAX_EXPONENT.showsAll : MAX_EXPONENT.showsPart))
    .map(
      ({ who, name, points }) =>
        `${name}, ${who}: pages ${points.map(({ cost }) => Math.round(cost)).join(" -> ")}, exponent ${exponentOf(points).toFixed(2)}`,
    );
  expect(growing).toEqual([]);
});
