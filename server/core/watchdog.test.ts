import { expect, test } from "vitest";
import { createLogger } from "./logger";
import { startWatchdog } from "./watchdog";

test("calls that stay pending long past their deadline end the process once, with a line in the log", async () => {
  const lines: string[] = [];
  const logger = createLogger({ level: "error", write: (line) => lines.push(line) });
  let overdueMs = 0;
  let endings = 0;
  let checks = 0;
  const watchdog = startWatchdog({
    overdueMs: () => {
      checks += 1;
      return overdueMs;
    },
    logger,
    onStuck: () => (endings += 1),
    checkMs: 5,
    maxOverdueMs: 60_000,
  });
  await expect.poll(() => checks).toBeGreaterThan(2);
  expect(endings).toBe(0);
  overdueMs = 60_001;
  await expect.poll(() => endings).toBe(1);
  const seen = checks;
  await new Promise((resolve) => setTimeout(resolve, 30));
  expect([checks, endings]).toEqual([seen, 1]);
  expect(lines.map((line) => JSON.parse(line).message)).toEqual(["a database call is stuck"]);
  watchdog.close();
});
