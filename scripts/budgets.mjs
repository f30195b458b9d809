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
const publicPage = (page, file, part) => ({
  page,
  entry: "public.html",
  kB: 110,
  file,
  part: `src/features/marketing/${part}.tsx`,
});
const PAGES = [
  publicPage("/", "index", "landing-page"),
  publicPage("/careers", "careers", "careers-page"),
  publicPage("/kartavya", "kartavya", "kartavya-page"),
  publicPage("/blogs", "blogs", "blogs-page"),
  publicPage("/privacy-policy-kartavya", "privacy-policy-kartavya", "kartavya-policy-page"),
  publicPage("/terms", "terms", "terms-page"),
  publicPage("/privacy", "privacy", "privacy-page"),
  { page: "/login", entry: "index.html", kB: 145 },
  { page: "/signup", entry: "index.html", kB: 170 },
  { page: "/reset-password", entry: "index.html", kB: 145 },
  { page: "/confirm-email", entry: "index.html", kB: 145 },
  { page: "/dashboard", entry: "index.html", kB: 205 },
  { page: "/admin", entry: "index.html", kB: 215 },
  { page: "/client", entry: "index.html", kB: 215 },
];
/** Words that survive minifying and give a package away. */
const FORBIDDEN = [
  { what: "classic zod (import zod/mini)", pattern: /["'`]ZodString["'`]/ },
  { what: "cmdk", pattern: /\[cmdk-|cmdk-item/ },
  { what: "recharts", pattern: /recharts-/ },
  { what: "moment", pattern: /_isAMomentObject/ },
  { what: "lodash", pattern: /__lodash_/ },
  { what: "window.alert", pattern: /window\.alert\b|(?<![\w$.])alert\(/ },
];

const manifest = JSON.parse(readFileSync(join(DIST, ".vite", "manifest.json"), "utf8"));
const routes = readRoutes();
const sizes = new Map();
let over = 0;

// What a page in a Latin language fetches: the upright files with the letters a to z.
const fonts = readdirSync(join(DIST, "assets"))
  .filter((name) => /latin-(?!ext).*normal.*\.woff2$/.test(name))
  .map((name) => `assets/${name}`);
for (const { page, entry, kB, file, part } of PAGES) {
  const routeFiles = entry === "index.html" ? routes.filesFor(page) : [];
  if (entry === "index.html" && routeFiles.length === 0) {
    report(page, "has no route", false);
    continue;
  }
  if (part && manifest[part] === undefined) {
    report(`${page} has no part ${part}`, "missing", false);
    continue;
  }
  const chunks = closure([entry, ...(part ? [part] : []), ...routeFiles.flatMap(splitChunks)]);
  const scripts = new Set([...chunks].map((key) => manifest[key].file));
  const styles = new Set([...chunks].flatMap((key) => manifest[key].css ?? []));
  report(`${page} JavaScript`, sum(scripts), kB);
  report(`${page} CSS`, sum(styles), CSS_KB);
  if (file) report(`${page} in all`, sum([`pages/${file}.html`, ...scripts, ...styles, ...fonts]), PUBLIC_PAGE_KB);
}
report("fonts", sum(fonts), FONTS_KB);
for (const file of filesBelow(join(DIST, "assets")).filter((name) => name.endsWith(".js"))) {
  const code = readFileSync(file, "utf8");
  for (const { what, pattern } of FORBIDDEN) {
    if (!pattern.test(code)) continue;
    over++;
    console.log(`FORBIDDEN  ${what} in ${file.slice(DIST.length + 1)}`);
  }
}
process.exitCode = over > 0 ? 1 : 0;

function report(what, bytes, kB) {
  const fits = typeof bytes === "number" && bytes <= kB * 1000;
  if (!fits) over++;
  const size = typeof bytes === "number" ? `${(bytes / 1000).toFixed(1)} of ${kB} kB` : bytes;
  console.log(`${fits ? "ok  " : "OVER"}  ${what.padEnd(36)} ${size}`);
}

/** A chunk and all that it imports statically: the browser runs nothing before it has them all. */
function closure(keys, seen = new Set()) {
  for (const key of keys) {
    if (seen.has(key) || manifest[key] === undefined) continue;
    seen.add(key);
    closure(manifest[key].imports ?? [], seen);
  }
  return seen;
}

/** The lazily loaded parts of a route that it needs to show itself; its error and not-found faces are not among them. */
function splitChunks(routeFile) {
  return Object.keys(manifest).filter(
    (key) => key.startsWith(`${routeFile}?`) && !/errorComponent|notFoundComponent/.test(key),
  );
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

/** From the generated route tree: which files make up the page at a path, layouts included. */
function readRoutes() {
  const tree = readFileSync(join(ROOT, "src", "routeTree.gen.ts"), "utf8");
  const all = (pattern) => [...tree.matchAll(pattern)];
  const fileOf = new Map(
    all(/import \{ Route as (\w+)Import \} from ["']\.\/(.+?)["']/g).map((m) => [m[1], `src/${m[2]}.tsx`]),
  );
  const parentOf = new Map(
    all(/const (\w+) = \w+\.update\(\{[\s\S]*?getParentRoute: \(\) => (\w+)/g).map((m) => [m[1], m[2]]),
  );
  const byPath = tree.slice(tree.indexOf("interface FileRoutesByFullPath"), tree.indexOf("interface FileRoutesByTo"));
  const routeAt = new Map(
    [...byPath.matchAll(/["'](\/.*?)["']: typeof (\w+)/g)].map((m) => [m[1].replace(/(.)\/$/, "$1"), m[2]]),
  );
  return {
    filesFor(page) {
      const files = [];
      let route = routeAt.get(page)?.replace(/WithChildren$/, "");
      for (; route !== undefined; route = parentOf.get(route)?.replace(/Import$|WithChildren$/, "")) {
        files.push(fileOf.get(route));
      }
      return files.filter((file) => file !== undefined);
    },
  };
}
