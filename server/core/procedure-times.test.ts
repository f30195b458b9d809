import { expect, test } from "vitest";
import { BOUNDS_SECONDS, createProcedureTimes, summarize } from "./procedure-times";

test("the slowest procedures of the hour come first, with times that are right within 10 %", () => {
  const times = createProcedureTimes();
  for (let ms = 1; ms <= 1_000; ms += 1) times.record({ procedure: "tasks.list", milliseconds: ms }, "OK");
  for (let at = 0; at < 50; at += 1) times.record({ procedure: "auth.me", milliseconds: 0.4 }, "OK");
  const [slowest, other] = summarize(times.lastHour());
  expect(slowest).toMatchObject({ name: "tasks.list", count: 1_000 });
  expect(Math.abs((slowest?.p50Ms ?? 0) / 500 - 1)).toBeLessThan(0.1);
  expect(Math.abs((slowest?.p99Ms ?? 0) / 990 - 1)).toBeLessThan(0.1);
  expect(other).toEqual({ name: "auth.me", count: 50, p50Ms: 0.4, p99Ms: 0.4 });
});

test("what several processes counted is taken together", () => {
  const [one, other] = [createProcedureTimes(), createProcedureTimes()];
  for (let at = 0; at < 90; at += 1) one.record({ procedure: "auth.me", milliseconds: 1 }, "OK");
  for (let at = 0; at < 10; at += 1) other.record({ procedure: "auth.me", milliseconds: 1_000 }, "OK");
  const [both, ...more] = summarize([...one.lastHour(), ...other.lastHour()]);
  expect(both).toMatchObject({ name: "auth.me", count: 100, p50Ms: 0.9 });
  expect(Math.abs((both?.p99Ms ?? 0) / 1_000 - 1)).toBeLessThan(0.1);
  expect(more).toEqual([]);
});

test("what was called an hour ago is forgotten, five minutes after five minutes", () => {
  let minutes = 1_000;
  const times = createProcedureTimes({ nowMs: () => minutes * 60_000 });
  const counted = () => summarize(times.lastHour()).map(({ name, count }) => [name, count]);
  times.record({ procedure: "old", milliseconds: 5 }, "OK");
  minutes += 30;
  times.record({ procedure: "new", milliseconds: 5 }, "OK");
  times.record({ procedure: "old", milliseconds: 5 }, "OK");
  expect(counted()).toEqual([
    ["old", 2],
    ["new", 1],
  ]);
  minutes += 35;
  expect(counted()).toEqual([
    ["old", 1],
    ["new", 1],
  ]);
  minutes += 60;
  expect(counted()).toEqual([]);
  times.record({ procedure: "old", milliseconds: 5 }, "OK");
  expect(counted()).toEqual([["old", 1]]);
});

test("totals are kept by code since the start, in cumulative buckets whose bounds are inclusive", () => {
  const times = createProcedureTimes();
  for (const milliseconds of [0, 1, 1.1, 16, 40_000, 100_000])
    times.record({ procedure: "tasks.list", milliseconds }, "OK");
  times.record({ procedure: "tasks.list", milliseconds: 2 }, "NOT_FOUND");
  const [fine, failed] = times.totals();
  expect(fine).toMatchObject({ procedure: "tasks.list", code: "OK", count: 6 });
  expect(fine?.sumSeconds).toBeCloseTo(140.018);
  expect(BOUNDS_SECONDS.slice(0, 5)).toEqual([0.001, 0.002, 0.004, 0.008, 0.016]);
  expect(fine?.cumulative).toEqual([2, 3, 3, 3, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4]);
  expect(failed).toMatchObject({ procedure: "tasks.list", code: "NOT_FOUND", count: 1, sumSeconds: 0.002 });
});
