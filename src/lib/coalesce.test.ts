import { expect, test } from "vitest";
import { coalesce } from "./coalesce";

test("work asked for while it runs is done once more afterwards, however often it was asked for", async () => {
  const finish: (() => void)[] = [];
  const ask = coalesce(() => new Promise<void>((resolve) => finish.push(resolve)));
  const first = ask();
  const later = [ask(), ask(), ask()];
  expect(finish).toHaveLength(1);
  finish[0]?.();
  await first;
  await Promise.resolve();
  expect(finish).toHaveLength(2);
  finish[1]?.();
  await Promise.all(later);
  expect(finish).toHaveLength(2);
  const again = ask();
  expect(finish).toHaveLength(3);
  finish[2]?.();
  await again;
});

test("work that fails is over, not stuck", async () => {
  let runs = 0;
  const ask = coalesce(async () => {
    runs += 1;
    throw new Error("away");
  });
  await ask();
  await ask();
  expect(runs).toBe(2);
});
