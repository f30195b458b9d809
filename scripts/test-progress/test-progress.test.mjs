import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { capture, ROOT } from "../shell.mjs";
import { followSteps } from "./steps.mjs";

const folder = mkdtempSync(join(tmpdir(), "sangam-progress-"));
const REPORTERS = join(ROOT, "scripts", "test-progress");
const TESTS = 'test("one", () => {});\ntest("two", () => { throw new Error("no"); });\ntest("three", () => {});\n';

symlinkSync(join(ROOT, "node_modules"), join(folder, "node_modules"));
afterAll(() => rmSync(folder, { recursive: true }));

test("says in whole lines when a step begins, which tests fail, how far it is, and how it ended", async () => {
  const lines = [];
  let tick = () => {};
  const ticked = new Promise((resolve) => {
    tick = resolve;
  });
  const say = (line) => {
    lines.push(line);
    if (line.startsWith("running")) tick();
  };
  const { onMessage, end } = followSteps({ say, everyMs: 5, now: () => 0 }).start("browser tests");
  onMessage({ done: 119, failed: 0, total: 268 });
  onMessage({ type: "somebody else's" });
  onMessage({ done: 120, failed: 1, total: 268, failedTest: "e2e/board.spec.ts:31 the board" });
  await ticked;
  end("FAILED", "  (267 passed, 1 failed)");
  const running = "running    0.0 s  browser tests: 120 of 268 done, 1 failed";
  expect(lines.filter((line) => line !== running)).toEqual([
    "start              browser tests",
    "failing    0.0 s  browser tests: e2e/board.spec.ts:31 the board",
    "FAILED     0.0 s  browser tests  (267 passed, 1 failed)",
  ]);
  expect(lines).toContain(running);
});

test("Vitest reports its files and each test, the failed ones by name", async () => {
  writeFileSync(join(folder, "some.test.mjs"), TESTS);
  const args = [
    "run",
    "some.test",
    "--globals",
    "--pool=threads",
    `--reporter=${join(REPORTERS, "vitest-reporter.mjs")}`,
  ];
  const messages = await messagesOf(join("vitest", "vitest.mjs"), args);
  expect(messages.at(0)).toMatchObject({ done: 0, files: { done: 0, total: 1 } });
  expect(messages.at(-1)).toEqual({ done: 3, failed: 1, files: { done: 1, total: 1 } });
  expect(messages.map(({ failedTest }) => failedTest).filter(Boolean)).toEqual(["some.test.mjs: two"]);
});

test("Playwright reports each test of a known number, the failed ones by name", async () => {
  writeFileSync(join(folder, "some.spec.mjs"), `import { test } from "@playwright/test";\n${TESTS}`);
  const args = ["test", "some.spec", "--workers=1", `--reporter=${join(REPORTERS, "playwright-reporter.mjs")}`];
  const messages = await messagesOf(join("@playwright", "test", "cli.js"), args);
  expect(messages.at(0)).toEqual({ done: 0, failed: 0, total: 3 });
  expect(messages.at(-1)).toEqual({ done: 3, failed: 1, total: 3 });
  expect(messages.map(({ failedTest }) => failedTest).filter(Boolean)).toEqual(["some.spec.mjs:3 two"]);
});

async function messagesOf(runner, args) {
  const messages = [];
  const env = Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !/^(VITEST|NODE_ENV|TEST$)/.test(name)),
  );
  const { output } = await capture(process.execPath, [join(ROOT, "node_modules", runner), ...args], {
    env,
    cwd: folder,
    onMessage: (message) => messages.push(message),
  });
  expect(messages.length, output).toBeGreaterThan(0);
  return messages;
}
