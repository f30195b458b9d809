import { execFileSync } from "node:child_process";
import { defineConfig } from "@playwright/test";
import { IS_LONG_FORM, LONG_ONLY } from "./e2e/long-form";

const executablePath =
  process.env.CHROMIUM_PATH ?? execFileSync(process.execPath, ["scripts/chromium.mjs"], { encoding: "utf8" }).trim();

/** Tests of the server of e2e/equipped.ts. One worker runs them in turn, so that there is one such server: first. */
const EQUIPPED_SERVER = /(board-scale|findings|google|repository-token)\.spec\.ts$/;

/** Tests of a server of their own. Apart from the others, a worker keeps its server for all files. Long ones: before those. */
const OWN_SERVER = /first-start\.spec\.ts$/;

/** Browser tests at a time: more than CI has processors, because a test waits for a third of its time. A fourth one makes all slower. */
const WORKERS = 3;

/** Each worker has a server and a database of its own (e2e/fixtures.ts); the build must be there already. */
export default defineConfig({
  testDir: "e2e",
  globalSetup: "./e2e/demo-data.ts",
  // The unit tests below it are vitest's.
  projects: [
    { name: "equipped server", testMatch: EQUIPPED_SERVER, workers: 1 },
    { name: "own servers", testMatch: OWN_SERVER },
    { name: "demo server", testMatch: "**/*.spec.ts", testIgnore: [EQUIPPED_SERVER, OWN_SERVER] },
  ],
  ...(IS_LONG_FORM ? {} : { grepInvert: new RegExp(LONG_ONLY) }),
  fullyParallel: false,
  workers: WORKERS,
  retries: 0,
  // Only a test that hangs takes this long: every wait ends with its event, however busy the machine is.
  timeout: 240_000,
  expect: { timeout: 20_000 },
  forbidOnly: process.env.CI !== undefined,
  reporter: "line",
  use: {
    browserName: "chromium",
    locale: "en-GB",
    timezoneId: "Asia/Kolkata",
    viewport: { width: 1280, height: 800 },
    // Software draws every frame of an animation. What is about motion asks for it (MOTION in e2e/fixtures.ts).
    contextOptions: { reducedMotion: "reduce" },
    // `--trace retain-on-failure` asks for one. Writing it takes 2 to 4 % of the processor time, also where all tests pass; a
    // test that fails has its steps, the tree of its page and a screenshot (e2e/fixtures.ts).
    trace: "off",
    launchOptions: {
      executablePath,
      args: [
        // Chromium's sandbox needs another user than root, and namespaces that CI machines often forbid.
        ...(process.getuid?.() === 0 || process.env.CI !== undefined ? ["--no-sandbox"] : []),
        "--disable-dev-shm-usage",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
        "--no-first-run",
        // Pages that live for seconds: a script is optimised for longer than it then runs, and its garbage is small. The page
        // that goes on to the next test keeps what is compiled.
        "--js-flags=--no-turbofan --no-maglev --no-flush-bytecode --min-semi-space-size=16",
      ],
    },
  },
});
