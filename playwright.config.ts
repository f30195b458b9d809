import { execFileSync } from "node:child_process";
import { defineConfig } from "@playwright/test";

const executablePath =
  process.env.CHROMIUM_PATH ?? execFileSync(process.execPath, ["scripts/chromium.mjs"], { encoding: "utf8" }).trim();

/** Each worker has a server and a database of its own (e2e/fixtures.ts); the build must be there already. */
export default defineConfig({
  testDir: "e2e",
  // The unit tests below it are vitest's.
  testMatch: "**/*.spec.ts",
  fullyParallel: false,
  workers: 3,
  retries: 0,
  // Only something that hangs takes so long. Each wait is for an event and ends with it, on a busy machine later than here.
  timeout: 120_000,
  expect: { timeout: 20_000 },
  forbidOnly: process.env.CI !== undefined,
  reporter: "line",
  use: {
    browserName: "chromium",
    locale: "en-GB",
    timezoneId: "Asia/Kolkata",
    viewport: { width: 1280, height: 800 },
    // What was done, asked and written, with a picture at the end. Pictures of the page at every step took 40 % of the time.
    trace: { mode: "retain-on-failure", screenshots: false, snapshots: false, sources: false },
    screenshot: "only-on-failure",
    launchOptions: {
      executablePath,
      args: [
        // Root has no sandbox to give; CI machines often forbid the namespaces that it needs.
        ...(process.getuid?.() === 0 || process.env.CI !== undefined ? ["--no-sandbox"] : []),
        "--disable-dev-shm-usage",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
        "--no-first-run",
      ],
    },
  },
});
