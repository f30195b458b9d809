// Finds a Chromium that really starts, or installs one. `node scripts/chromium.mjs` prints its path.
import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { installWithApt } from "./find-program.mjs";
import { ROOT } from "./shell.mjs";

/** Chromium without its window: the same pages for two thirds of the processor's time. */
const SHELL = "/usr/bin/chromium-headless-shell";
const CANDIDATES = [
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome",
  "/usr/bin/google-chrome-stable",
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
];

/** The path of a browser that answers --version. Throws when none can be had. */
export async function findChromium() {
  const given = process.env.CHROMIUM_PATH;
  if (given) {
    if (answers(given)) return given;
    throw new Error("CHROMIUM_PATH does not name a Chromium that starts.");
  }
  if (answers(SHELL)) return SHELL;
  const present = CANDIDATES.find(answers) ?? (await playwrightsOwn());
  // On somebody's own machine nothing is installed beside a browser that works.
  if (present && process.env.CI === undefined) return present;
  if (process.getuid?.() === 0 && isDebian()) {
    await installWithApt("chromium-headless-shell");
    if (answers(SHELL)) return SHELL;
    if (!present) await installWithApt("chromium");
  }
  const found = present ?? CANDIDATES.find(answers);
  if (found) return found;
  console.error("Installing Chromium with Playwright ...");
  spawnSync(process.execPath, ["node_modules/@playwright/test/cli.js", "install", "chromium"], {
    cwd: ROOT,
    stdio: ["ignore", "ignore", "inherit"],
  });
  const installed = await playwrightsOwn();
  if (installed) return installed;
  throw new Error("No Chromium: install one, or set CHROMIUM_PATH.");
}

async function playwrightsOwn() {
  const { chromium } = await import("@playwright/test");
  const path = chromium.executablePath();
  return answers(path) ? path : null;
}

/** Ubuntu's /usr/bin/chromium-browser, for one, is a stub that only says to install a snap. */
function answers(path) {
  if (!existsSync(path)) return false;
  try {
    return /Chrom/.test(execFileSync(path, ["--version"], { encoding: "utf8", stdio: "pipe", timeout: 20_000 }));
  } catch {
    return false;
  }
}

function isDebian() {
  return existsSync("/etc/os-release") && /^ID=debian$/m.test(readFileSync("/etc/os-release", "utf8"));
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) console.log(await findChromium());
