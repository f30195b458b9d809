import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { drawAssets } from "./assets";
import { CARDS } from "./public-pages";

const file = (name: string) => readFileSync(name);
const hash = (content: string | Buffer) => createHash("sha256").update(content).digest("hex");

test("the brochure and the pictures for links are made from the words of today, and are those that lie here: else run `npm run assets`", () => {
  const stamps = drawAssets().map(({ file: name, html }) => [
    name,
    { drawnFrom: hash(html), file: hash(file(`public/${name}`)) },
  ]);
  expect(JSON.parse(file("scripts/assets.json").toString())).toEqual(Object.fromEntries(stamps));
});

test("the brochure is a tagged PDF of two pages that says its title and its language", () => {
  const pdf = file("public/sangam-programmes.pdf").toString("latin1");
  expect(pdf.startsWith("%PDF-")).toBe(true);
  for (const part of ["/StructTreeRoot", "/MarkInfo", "/Lang (en)", "/Outlines", "/S /H1", "/Title"]) {
    expect(pdf.includes(part), part).toBe(true);
  }
  expect(pdf.match(/\/Type \/Page\b/g)).toHaveLength(2);
});

test("each page's picture is a PNG of 1200 by 630, and not heavy", () => {
  for (const name of Object.keys(CARDS)) {
    const png = file(`public/og-${name}.png`);
    expect([png.readUInt32BE(16), png.readUInt32BE(20)]).toEqual([1200, 630]);
    expect(png.length).toBeLessThan(150_000);
  }
});
