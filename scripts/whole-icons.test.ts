import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import sharp from "sharp";
import { expect, test } from "vitest";
import { withOnePath } from "./whole-icons";

const ICONS = "node_modules/lucide-react/dist/esm/icons";
const IMPORT = /import \{([^}]*)\} from "lucide-react"/g;

/** The code of every icon that our pages import, by its name. */
function usedIcons(): Map<string, string> {
  const sources = readdirSync("src", { recursive: true, encoding: "utf8" }).filter((path) => path.endsWith(".tsx"));
  const names = sources.flatMap((path) =>
    [...readFileSync(join("src", path), "utf8").matchAll(IMPORT)].flatMap(([, list = ""]) => list.split(",")),
  );
  const icons = names.map((name) => name.trim().replace(/ as .*/, "")).filter((name) => /^[A-Z]/.test(name));
  const codes = new Map<string, string>();
  for (const name of new Set(icons)) {
    const file = name.replaceAll(/(?<=[a-z0-9])(?=[A-Z])|(?<=[a-z])(?=\d)/g, "-").toLowerCase();
    const code = readFileSync(join(ICONS, `${file}.mjs`), "utf8");
    const [, original] = /export \{ default \} from '\.\/(.+)'/.exec(code) ?? [];
    codes.set(name, original ? readFileSync(join(ICONS, original), "utf8") : code);
  }
  return codes;
}

/** The pixels of an icon by its code, at four times its size, and the number of its elements. */
async function draw(code: string) {
  const parts = [...code.matchAll(/\["(\w+)", \{ (.*?), key: "[^"]*" \}\]/g)].map(([, tag, attributes = ""]) => {
    const written = [...attributes.matchAll(/(\w+): ("[^"]*")/g)].map(([, name, value]) => `${name}=${value}`);
    return `<${tag} ${written.join(" ")}/>`;
  });
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="96" height="96" viewBox="0 0 24 24" fill="none" stroke="black" stroke-width="2" stroke-linecap="round" stroke-linejoin="round">${parts.join("")}</svg>`;
  return { pixels: await sharp(Buffer.from(svg)).raw().toBuffer(), elements: parts.length };
}

test("each icon that we use draws the same with its paths in one", async () => {
  const icons = usedIcons();
  expect(icons.size).toBeGreaterThan(60);
  let spared = 0;
  for (const [name, code] of icons) {
    const joined = withOnePath(code);
    if (joined === null) continue;
    const [before, after] = [await draw(code), await draw(joined)];
    expect(
      before.pixels.some((value) => value > 0),
      name,
    ).toBe(true);
    const differences = before.pixels.map((value, at) => Math.abs(value - (after.pixels[at] ?? 0)));
    expect(Math.max(...differences), name).toBeLessThan(90);
    spared += before.elements - after.elements;
  }
  expect(spared).toBeGreaterThan(50);
});
