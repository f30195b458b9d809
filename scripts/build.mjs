// dist/ for browsers, dist-server/ for Node.js, dist-client/ for other programs; only when an input has changed.
import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import { withLock } from "./lock.mjs";
import { node, ROOT } from "./shell.mjs";
import { filesBelow, hashOf, readStamp, writeStamp } from "./stamp.mjs";

export const SERVER_ENTRY = "dist-server/main.mjs";

const STAMP = join(ROOT, "dist-server", ".build-stamp");
const PRERENDER = "dist-server/prerender.mjs";
const INPUTS = [
  ...["src", "server", "db", "public", "index.html", "public.html"],
  ...[
    "vite.config.ts",
    "tsconfig.json",
    "package.json",
    "LICENSE",
    "bun.lock",
    "patches",
    "scripts/build.mjs",
    "scripts/chunks.ts",
    "scripts/whole-icons.ts",
    "scripts/client-package.mjs",
    "docs/openapi.json",
  ],
];
/** What documents are drawn with, and its licences. */
const FONTS = {
  "NotoSans_400Regular.ttf": "@expo-google-fonts/noto-sans/400Regular/NotoSans_400Regular.ttf",
  "NotoSans_600SemiBold.ttf": "@expo-google-fonts/noto-sans/600SemiBold/NotoSans_600SemiBold.ttf",
  "unifont-latin-400-normal.woff": "@fontsource/unifont/files/unifont-latin-400-normal.woff",
  "NotoEmoji_400Regular.ttf": "@expo-google-fonts/noto-emoji/400Regular/NotoEmoji_400Regular.ttf",
  "LICENSE-noto-emoji": "@expo-google-fonts/noto-emoji/LICENSE_FONT",
  "LICENSE-noto-sans": "@expo-google-fonts/noto-sans/LICENSE_FONT",
  "LICENSE-unifont": "@fontsource/unifont/LICENSE",
};
const COMPRESSIBLE = /\.(js|mjs|css|html|svg|json|txt|xml|webmanifest|ico|map)$/;
const COMPRESS_ABOVE_BYTES = 1000;

export function isBuilt() {
  return existsSync(join(ROOT, SERVER_ENTRY)) && existsSync(STAMP);
}

export async function buildIfStale({ force = false } = {}) {
  const stamp = inputStamp();
  if (!force && readStamp(STAMP) === stamp) return;
  await withLock(async () => {
    if (!force && readStamp(STAMP) === stamp) return;
    console.error("Building ...");
    await build();
    writeStamp(STAMP, stamp);
  });
}

async function build() {
  rmSync(STAMP, { force: true });
  const vite = "node_modules/vite/bin/vite.js";
  // Rolldown colours its complaints even into a pipe.
  const env = { ...process.env, NODE_ENV: "production", ...(process.stderr.isTTY ? {} : { NO_COLOR: "1" }) };
  const options = { quiet: true, env };
  await Promise.all([
    node([vite, "build", "--logLevel", "warn"], options),
    node([vite, "build", "--ssr", "--logLevel", "warn"], options),
    node(["scripts/client-package.mjs"], options),
  ]);
  if (existsSync(join(ROOT, PRERENDER))) await node([PRERENDER], options);
  copyFonts();
  await precompress();
}

/** What server/sign-offs/pdf-fonts.ts finds beside its program: packages are not part of a release. */
function copyFonts() {
  mkdirSync(join(ROOT, "dist-server/fonts"), { recursive: true });
  for (const [name, path] of Object.entries(FONTS))
    copyFileSync(join(ROOT, "node_modules", path), join(ROOT, "dist-server/fonts", name));
}

/** The generated route tree follows from src/routes; tests are in no bundle. */
function inputStamp() {
  const ignore = (name) => name.endsWith("routeTree.gen.ts") || /\.test\.tsx?$/.test(name);
  return hashOf(INPUTS, { ignore, words: [process.version] });
}

/** Each text file once with each method at its best; pages are filled in and compressed by the server (static-pages). */
async function precompress() {
  const files = filesBelow(join(ROOT, "dist")).filter(
    (file) => COMPRESSIBLE.test(file) && !/\/(\.vite|pages)\//.test(file),
  );
  await Promise.all(
    files.map(async (file) => {
      const content = readFileSync(file);
      if (content.length <= COMPRESS_ABOVE_BYTES) return;
      const [gz, br] = await Promise.all([
        promisify(gzip)(content, { level: 9 }),
        promisify(brotliCompress)(content, { params: { [constants.BROTLI_PARAM_SIZE_HINT]: content.length } }),
      ]);
      writeFileSync(`${file}.gz`, gz);
      writeFileSync(`${file}.br`, br);
    }),
  );
}
