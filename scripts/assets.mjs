// `npm run assets`: the brochure, the pictures for links and the icons, drawn by Chromium from the pages' own components and committed.
import { createHash } from "node:crypto";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { chromium } from "@playwright/test";
import { drawAssets } from "../src/features/marketing/assets.tsx";
import { findChromium } from "./chromium.mjs";
import { ROOT } from "./shell.mjs";

const HOST = "http://assets.invalid";
const TYPES = { css: "text/css", woff2: "font/woff2" };

const dist = join(ROOT, "dist");
const style = readdirSync(join(dist, "assets")).find(
  (name) => name.endsWith(".css") && /--brand-soft/.test(styleText(name)),
);
if (style === undefined) throw new Error("The build has no style: run `npm run build`.");

const browser = await chromium.launch({
  executablePath: await findChromium(),
  args: process.getuid?.() === 0 ? ["--no-sandbox"] : [],
});
try {
  const page = await browser.newPage();
  // What is printed is the page as it is on a screen, in colour.
  await page.emulateMedia({ media: "screen" });
  const stamps = {};
  for (const { file, title, html, isDark, size } of drawAssets()) {
    await page.setViewportSize(size);
    const body = `<!doctype html><html lang="en" class="${isDark ? "dark" : ""}"><head><meta charset="utf-8"><title>${title}</title><link rel="stylesheet" href="/assets/${style}"></head><body>${html}</body></html>`;
    await page.route(`${HOST}/**`, async (route) => {
      const { pathname } = new URL(route.request().url());
      const ending = pathname.split(".").at(-1) ?? "";
      if (!pathname.startsWith("/assets/")) return route.fulfill({ contentType: "text/html", body });
      return route.fulfill({ contentType: TYPES[ending] ?? "text/plain", body: readFileSync(join(dist, pathname)) });
    });
    await page.goto(HOST);
    await page.evaluate(() => document.fonts.ready);
    const path = join(ROOT, "public", file);
    if (file.endsWith(".pdf")) {
      await page.pdf({ path, format: "A4", printBackground: true, tagged: true, outline: true });
    } else if (file.endsWith(".ico")) writeFileSync(path, iconOf(await page.screenshot(), size.width));
    else await page.screenshot({ path });
    await page.unroute(`${HOST}/**`);
    stamps[file] = { drawnFrom: hash(html), file: hash(readFileSync(path)) };
    console.log(`public/${file}`);
  }
  // The bytes change with the browser; what they were drawn from does not. assets.test.ts compares that with the words of today,
  // and the bytes with the files that are committed.
  writeFileSync(join(ROOT, "scripts", "assets.json"), `${JSON.stringify(stamps, null, 2)}\n`);
} finally {
  await browser.close();
}

/** An ICO file that holds one PNG: its header, the entry that describes the picture, the picture. */
function iconOf(png, pixels) {
  const header = Buffer.alloc(22);
  header.writeUInt16LE(1, 2);
  header.writeUInt16LE(1, 4);
  header.writeUInt8(pixels, 6);
  header.writeUInt8(pixels, 7);
  header.writeUInt16LE(1, 10);
  header.writeUInt16LE(32, 12);
  header.writeUInt32LE(png.length, 14);
  header.writeUInt32LE(header.length, 18);
  return Buffer.concat([header, png]);
}

function hash(content) {
  return createHash("sha256").update(content).digest("hex");
}

function styleText(name) {
  return readFileSync(join(dist, "assets", name), "utf8");
}
