// `npm test`: everything that CI checks. The last line is "N passed, N failed".
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { stripVTControlCharacters } from "node:util";
import { buildIfStale } from "./build.mjs";
import { findChromium } from "./chromium.mjs";
import { findMissingPrograms } from "./find-program.mjs";
import { installIfStale } from "./install.mjs";
import { findNodeLts } from "./node-lts.mjs";
import { capture, ROOT } from "./shell.mjs";
import { followSteps } from "./test-progress/steps.mjs";

const REPEATS = 5;
/** Real-time and process tests, by a part of their paths. */
const REPEATED = ["server/realtime", "events.test", "socket.test", "db/embedded"];
const BIOME = "node_modules/@biomejs/biome/bin/biome";
const KNIP = "node_modules/knip/bin/knip.js";
const TSC = "node_modules/typescript/bin/tsc";
const VITEST = "node_modules/vitest/vitest.mjs";
const PLAYWRIGHT = "node_modules/@playwright/test/cli.js";
/** The compiler is a Go program: collecting its garbage less often takes a quarter off its processor time. */
const LAZY_GC = { GOGC: "400" };
/** Programs that run for a minute: V8 optimises them for longer than that pays. Fifteen times its budget: a tenth less processor time. */
const SHORT_LIVED = ["--interrupt-budget=1000000"];
/** Tests leave their rows behind within one collection of the young: a twelfth less processor time. */
const ROOMY = ["--max-semi-space-size=64"];
const REPORTERS = join(ROOT, "scripts", "test-progress");

/** Of the browser tests, without one. */
const NO_BUILD = { passed: 0, failed: 1, output: "Not run: there is no build." };

const steps = followSteps();

/**
 * Unit tests beside the build and what is done with it, then the browsers alone: they take all of two cores. The unit tests beside
 * them would be late, as they wait for processes.
 */
export async function test({ isLong = false } = {}) {
  // Whatever a step runs learns it from here.
  if (isLong) process.env.LONG_FORM = "1";
  const tally = { passed: 0, failed: 0, failures: [] };
  const startedAt = Date.now();
  // Servers that some tests put in front of ours or beside it. Where they are missing, most of the time goes into fetching them.
  const missing = findMissingPrograms();
  await installIfStale();
  const unitTests = missing.then((names) => vitest(tally, { missing: names }));
  // One package at a time: where it has to be installed, there is time for it until the unit tests end.
  const chromium = missing.then(findChromium);
  // The browser tests report it.
  chromium.catch(() => {});
  const sources = checkSources(tally);
  const isBuilt = await program(tally, "build", ["scripts/run.mjs", "build"]);
  if (isBuilt) await checkBuild(tally, { missing, isLong });
  // An older build may still lie there, and would prove nothing.
  const browserTests = isBuilt ? preparePlaywright(chromium) : async () => NO_BUILD;
  await unitTests;
  await step(tally, "browser tests", browserTests);
  await sources;
  finish(tally, startedAt);
}

/** Only computes: it takes the time in which the tests wait. */
async function checkSources(tally) {
  const check = (name, args, settings) => program(tally, name, args, { settings, niceness: 19 });
  await check("types", [TSC, "--singleThreaded"], LAZY_GC);
  await check("lint and format", [BIOME, "ci", "--colors=off"]);
  await check("unused code and circles", [KNIP, "--no-progress"]);
  await check("reference", ["--import", "tsx", "scripts/reference/generate.ts", "--check"]);
  await check("OpenAPI rules", ["scripts/lint-openapi.mjs"]);
  await check("migrations", ["scripts/drift.mjs"]);
  await check("lock file", ["scripts/lockfile.mjs"]);
}

async function checkBuild(tally, { missing, isLong }) {
  await program(tally, "size budgets", ["scripts/budgets.mjs"]);
  await program(tally, "served HTML", ["--import", "tsx", "scripts/html.mjs"]);
  await vitest(tally, { name: "deployment", projects: ["built"], missing: await missing });
  await program(tally, "chat history", ["--import", "tsx", "e2e/chaos/run.ts", "--short"]);
  if (isLong) await vitestUnderLts(tally, await missing);
  await program(tally, "release", ["scripts/run.mjs", "release", "--try"]);
}

/** All tests of the server and the database under the present LTS of Node.js, where that is another than this one. */
export async function testLts() {
  const tally = { passed: 0, failed: 0, failures: [] };
  const startedAt = Date.now();
  await installIfStale();
  await vitestUnderLts(tally);
  finish(tally, startedAt);
}

async function vitestUnderLts(tally, missing = []) {
  const lts = await findNodeLts();
  // Under it, the unit tests are these tests.
  if (lts === null || lts === process.execPath) return;
  const name = "server tests under the LTS of Node.js";
  await vitest(tally, { name, node: lts, filters: ["server/", "db/"], missing });
}

/** The tests that depend on time and on other processes, five times in a row: all of them have to pass each time. */
export async function testRepeat() {
  const tally = { passed: 0, failed: 0, failures: [] };
  const startedAt = Date.now();
  await installIfStale();
  await buildIfStale();
  for (let round = 1; round <= REPEATS; round++) {
    await vitest(tally, { name: `real-time tests, round ${round}`, filters: REPEATED });
    await step(tally, `browser tests, round ${round}`, preparePlaywright());
  }
  finish(tally, startedAt);
}

function program(tally, name, args, { settings = {}, niceness } = {}) {
  return step(tally, name, async (onMessage) => {
    const env = { ...cleanEnv(), ...settings };
    const options = { env, onMessage, niceness };
    const { code, output } = await capture(process.execPath, [...(await shortLived()), ...args], options);
    return { passed: code === 0 ? 1 : 0, failed: code === 0 ? 0 : 1, output };
  });
}

/** Of a version of Node.js that knows the setting; later ones have others. */
async function shortLived(node = process.execPath) {
  const { output } = await capture(node, ["--v8-options"]);
  return output.includes(` ${SHORT_LIVED[0].split("=")[0]} `) ? SHORT_LIVED : [];
}

function vitest(tally, options = {}) {
  const { name = "unit and router tests", projects = ["shared", "alone"], filters = [], missing = [] } = options;
  const { node = process.execPath } = options;
  return step(tally, name, (onMessage) =>
    withReport(async (file) => {
      const args = [
        ...(await shortLived(node)),
        ...ROOMY,
        VITEST,
        "run",
        ...filters,
        ...projects.map((project) => `--project=${project}`),
        "--maxWorkers=3",
        "--passWithNoTests",
        "--reporter=default",
        "--reporter=json",
        `--reporter=${join(REPORTERS, "vitest-reporter.mjs")}`,
        `--outputFile.json=${file}`,
      ];
      const env = { ...cleanEnv(), NO_COLOR: "1", PROGRAMS_MISSING: missing.join(",") };
      const { code, output } = await capture(node, args, { env, onMessage });
      return { code, output, read: readVitest };
    }),
  );
}

/**
 * Starts the runner: it reads its tests and makes the demo data (e2e/demo-data.ts). Returns the work of a step, which lets the tests
 * begin.
 */
function preparePlaywright(chromium = findChromium()) {
  let begin = () => {};
  const begun = new Promise((resolve) => {
    begin = resolve;
  });
  // How many tests there are is said before the step begins.
  let latest;
  let follow = (message) => {
    latest = message;
  };
  const result = withReport(async (file) => {
    const env = {
      ...cleanEnv(),
      NO_COLOR: "1",
      CHROMIUM_PATH: await chromium,
      PLAYWRIGHT_JSON_OUTPUT_FILE: file,
      E2E_HELD: "1",
    };
    const args = [
      ...(await shortLived()),
      PLAYWRIGHT,
      "test",
      `--reporter=line,json,${join(REPORTERS, "playwright-reporter.mjs")}`,
    ];
    const onMessage = (message) => follow(message);
    const { code, output } = await capture(process.execPath, args, { env, onMessage, begun });
    return { code, output, read: readPlaywright };
  });
  // The step reports it.
  result.catch(() => {});
  return (onMessage) => {
    follow = onMessage;
    follow(latest);
    begin();
    return result;
  };
}

/** A runner that crashed, or failed in other ways than by a test, counts as one failure; only then is its output printed. */
async function withReport(run) {
  const folder = mkdtempSync(join(tmpdir(), "sangam-report-"));
  const file = join(folder, "report.json");
  try {
    const { code, output, read } = await run(file);
    const report = existsSync(file) ? read(JSON.parse(readFileSync(file, "utf8"))) : { passed: 0, failures: [] };
    const { passed, failures } = report;
    const failed = code !== 0 && failures.length === 0 ? 1 : failures.length;
    return failures.length > 0
      ? { passed, failed, output: failures.join("\n\n"), failures }
      : { passed, failed, output };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function readVitest({ numPassedTests, testResults }) {
  const failures = testResults.flatMap(({ name, message, assertionResults }) => {
    const failed = assertionResults.filter(({ status }) => status === "failed");
    // A file that could not even be read.
    if (failed.length === 0 && message) return [`${name}\n${message}`];
    return failed.map(({ fullName, failureMessages }) => `${name}: ${fullName}\n${failureMessages.join("\n")}`);
  });
  return { passed: numPassedTests, failures };
}

function readPlaywright({ stats, suites, errors }) {
  const specs = suites.flatMap(specsOf).filter(({ ok }) => !ok);
  const failures = specs.map(({ file, line, title, tests }) => {
    const results = tests.flatMap((test) => test.results);
    const messages = results.flatMap((result) => result.errors.map(({ message }) => plainText(message)));
    const seen = results.flatMap((result) => result.attachments.flatMap(readAttachment));
    return [`${file}:${line}  ${title}`, ...messages, ...seen].join("\n");
  });
  return { passed: stats.expected, failures: [...failures, ...errors.map(({ message }) => plainText(message))] };
}

function specsOf({ specs, suites = [] }) {
  return [...specs, ...suites.flatMap(specsOf)];
}

const SHOWN_LINES = 100;

/** What a failed test left of its page and its server: what it waited for may depend on the machine, and not fail again elsewhere. */
function readAttachment({ name, path, body }) {
  if (name !== "error-context" && name !== "server log") return [];
  const text = body
    ? Buffer.from(body, "base64").toString()
    : path && existsSync(path)
      ? readFileSync(path, "utf8")
      : "";
  // Of the context only what the page is about: error and source stand elsewhere, and menus take most of a tree.
  const tree = text.slice(Math.max(0, text.indexOf("```yaml"))).split("\n```\n")[0];
  const lines = tree.slice(Math.max(0, tree.search(/^ *- main:/m))).split("\n");
  return [`${name}:`, ...(name === "server log" ? lines.slice(-SHOWN_LINES) : lines.slice(0, SHOWN_LINES))];
}

/** Without colours. */
function plainText(text) {
  return stripVTControlCharacters(text ?? "");
}

async function step(tally, name, work) {
  const { onMessage, end } = steps.start(name);
  const {
    passed,
    failed,
    output,
    failures = [output],
  } = await work(onMessage).catch((error) => ({
    passed: 0,
    failed: 1,
    output: `${error.stack}\n`,
  }));
  tally.passed += passed;
  tally.failed += failed;
  end(failed > 0 ? "FAILED" : "ok", passed + failed > 1 ? `  (${passed} passed, ${failed} failed)` : "");
  if (failed > 0) {
    console.log(output);
    for (const failure of failures) tally.failures.push(`${name}: ${beginningOf(failure)}`);
  }
  return failed === 0;
}

const BEGINNING_LINES = 6;

function beginningOf(failure) {
  return failure.trim().split("\n").slice(0, BEGINNING_LINES).join("\n");
}

/** What failed is said again, briefly: of a long log often only the end is at hand. */
function finish({ passed, failed, failures }, startedAt) {
  if (failures.length > 0) console.log(`\nFailed:\n\n${failures.join("\n\n")}\n`);
  console.log(`${((Date.now() - startedAt) / 1000).toFixed(1)} s in all`);
  console.log(`${passed} passed, ${failed} failed`);
  process.exitCode = failed > 0 || passed === 0 ? 1 : 0;
}

/** The settings of a server that somebody runs here are none of the tests' business; .env.example lists them all. */
function cleanEnv() {
  const env = { ...process.env };
  const example = readFileSync(join(ROOT, ".env.example"), "utf8");
  for (const [, name] of example.matchAll(/^#?([A-Z][A-Z_]+)=/gm)) delete env[name];
  for (const name of ["NODE_ENV", "NODE_OPTIONS", "FORCE_COLOR"]) delete env[name];
  return env;
}
