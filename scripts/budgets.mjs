// What each page loads before it shows anything, against its budget (gzip -9, 1 kB = 1000 B). `node scripts/budgets.mjs`
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { ROOT } from "./shell.mjs";
import { filesBelow } from "./stamp.mjs";

const DIST = join(ROOT, "dist");
const CSS_KB = 25;
const FONTS_KB = 80;
/** All that a visitor of a public page fetches before touching it: text, style, scripts, the letters a to z. */
const PUBLIC_PAGE_KB = 250;
const publicPage = (page, file, part = file) => ({ page, kB: 110, file, part });
const PUBLIC_PAGES = [
  publicPage("/", "index", "landing"),
  publicPage("/careers", "careers"),
  publicPage("/kartavya", "kartavya"),
  publicPage("/blogs", "blogs"),
  publicPage("/privacy-policy-kartavya", "privacy-policy-kartavya", "kartavya-policy"),
  publicPage("/terms", "terms"),
  publicPage("/privacy", "privacy"),
];
/** Scripts of a page behind the app's document: so many files at the most, and so many kB. */
const APP_PAGES = [
  { page: "/login", kB: 145, files: 6 },
  { page: "/signup", kB: 170, files: 7 },
  { page: "/reset-password", kB: 145, files: 6 },
  { page: "/confirm-email", kB: 145, files: 6 },
  { page: "/invitation", kB: 170, files: 7 },
  { page: "/dashboard", kB: 205, files: 8 },
  { page: "/admin", kB: 215, files: 8 },
  { page: "/client", kB: 215, files: 8 },
];
/** The pages below those three load what the first ones fetch when they have come to rest. */
const DEEP_PAGE = { kB: 350, files: 16 };
/** What a task's page loads when it is opened: itself, its comments with their editor, its files and how texts are shown. */
const TASK_PAGE = {
  kB: 60,
  parts: ["src/features/tasks/task-overlay.tsx", "src/features/comments/discussion.tsx", "src/ui/markdown.tsx"],
  /** Chunks of all pages and panels. */
  shared: /^assets\/(auth|controls|features|forms|overlays)-/,
};
/** A smaller file is a request that brings little: its code belongs with those who need it. */
const MIN_SCRIPT_BYTES = 5_000;
/** The bundler keeps its own code apart, whatever it is told. */
const SMALL_SCRIPT = /\/rolldown-runtime-/;
/** Words that survive minifying and give a package away. */
const FORBIDDEN = [
  { what: "classic zod (import zod/mini)", pattern: /["'`]ZodString["'`]/ },
  { what: "cmdk", pattern: /\[cmdk-|cmdk-item/ },
  { what: "recharts", pattern: /recharts-/ },
  { what: "moment", pattern: /_isAMomentObject/ },
  { what: "lodash", pattern: /__lodash_/ },
  { what: "window.alert", pattern: /window\.alert\b|(?<![\w$.])alert\(/ },
];

const pageFiles = JSON.parse(readFileSync(join(DIST, ".vite", "pages.json"), "utf8"));
const manifest = JSON.parse(readFileSync(join(DIST, ".vite", "manifest.json"), "utf8"));
const sizes = new Map();
const small = [];
let over = 0;

// What a page in a Latin language fetches: the upright files with the letters a to z.
const fonts = readdirSync(join(DIST, "assets"))
  .filter((name) => /latin-(?!ext).*normal.*\.woff2$/.test(name))
  .map((name) => `assets/${name}`);
const styleFiles = readdirSync(join(DIST, "assets"))
  .filter((name) => name.endsWith(".css"))
  .map((name) => `assets/${name}`);
report("CSS", sum(styleFiles), CSS_KB);
for (const { page, kB, file, part } of PUBLIC_PAGES) {
  const scripts = reportScripts({ page, kB, name: part });
  report(`${page} in all`, sum([`pages/${file}.html`, ...scripts, ...styleFiles, ...fonts]), PUBLIC_PAGE_KB);
}
for (const { page, kB, files } of APP_PAGES) {
  const scripts = reportScripts({ page, kB });
  count(`${page} scripts`, scripts.length, files);
}
const deepPages = Object.keys(pageFiles).filter((page) => /^\/\w+\/./.test(page));
report("the largest page below them", Math.max(...deepPages.map((page) => sum(pageFiles[page]))), DEEP_PAGE.kB);
count("its scripts", Math.max(...deepPages.map((page) => pageFiles[page].length)), DEEP_PAGE.files);
report("a task's page, editor and files", sum(taskPageFiles()), TASK_PAGE.kB);
report("fonts", sum(fonts), FONTS_KB);
for (const file of filesBelow(join(DIST, "assets")).filter((name) => name.endsWith(".js"))) {
  const code = readFileSync(file, "utf8");
  const name = file.slice(DIST.length + 1);
  if (code.length < MIN_SCRIPT_BYTES && !SMALL_SCRIPT.test(name)) small.push(name);
  for (const { what, pattern } of FORBIDDEN) {
    if (!pattern.test(code)) continue;
    over++;
    console.log(`FORBIDDEN  ${what} in ${name}`);
  }
}
count(`scripts under ${MIN_SCRIPT_BYTES / 1000} kB: ${small.join(" ")}`, small.length, 0);
process.exitCode = over > 0 ? 1 : 0;

function report(what, bytes, kB) {
  const fits = typeof bytes === "number" && bytes <= kB * 1000;
  if (!fits) over++;
  const size = typeof bytes === "number" ? `${(bytes / 1000).toFixed(1)} of ${kB} kB` : bytes;
  console.log(`${fits ? "ok  " : "OVER"}  ${what.padEnd(36)} ${size}`);
}

function count(what, files, maxFiles) {
  const fits = files <= maxFiles;
  if (!fits) over++;
  console.log(`${fits ? "ok  " : "OVER"}  ${what.padEnd(36)} ${files} of ${maxFiles} files`);
}

/** The scripts of a page; the browser runs nothing before it has them all. */
function reportScripts({ page, kB, name = page }) {
  const scripts = pageFiles[name] ?? [];
  report(`${page} JavaScript`, scripts.length > 0 ? sum(scripts) : "no page of the build", kB);
  return scripts;
}

/** The scripts that a board does not have yet. */
function taskPageFiles() {
  const chunks = new Set(TASK_PAGE.parts);
  for (const chunk of chunks) for (const name of manifest[chunk].imports ?? []) chunks.add(name);
  const files = [...chunks].map((name) => manifest[name].file);
  return files.filter((file) => !pageFiles["/dashboard"].includes(file) && !TASK_PAGE.shared.test(file));
}

function sum(files) {
  let total = 0;
  for (const file of files) {
    if (!sizes.has(file)) {
      const content = readFileSync(join(DIST, file));
      sizes.set(file, file.endsWith(".woff2") ? content.length : gzipSync(content, { level: 9 }).length);
    }
    total += sizes.get(file);
  }
  return total;
}
