import { readFileSync } from "node:fs";
import { expect, test } from "vitest";

/** The table of the design guide: foreground, the backgrounds it may stand on, the least contrast. */
const PAIRS: [foreground: string, backgrounds: string[], need: number][] = [
  ["ink", ["canvas", "surface", "raised", "sunken", "hover", "bubble"], 4.5],
  ["ink2", ["canvas", "surface", "raised", "sunken", "hover", "bubble"], 4.5],
  ["ink3", ["canvas", "surface", "raised", "sunken", "hover", "field"], 4.5],
  ["on-brand", ["brand", "brand-hover"], 4.5],
  ["brand-text", ["canvas", "raised", "brand-soft"], 4.5],
  ["grey", ["grey-soft", "canvas"], 4.5],
  ["green", ["green-soft", "canvas"], 4.5],
  ["blue", ["blue-soft", "canvas", "bubble"], 4.5],
  ["orange", ["orange-soft", "canvas", "raised"], 4.5],
  ["red", ["red-soft", "canvas", "raised", "surface"], 4.5],
  ["on-red", ["red-solid"], 4.5],
  ["bubble-ink", ["bubble"], 4.5],
  ["raised", ["green"], 3],
  ["ring", ["canvas", "surface", "raised", "sunken", "hover"], 3],
  ["line-strong", ["canvas", "surface", "raised", "field"], 3],
];

const css = readFileSync(new URL("../styles.css", import.meta.url), "utf8");
const light = tokens(":root");
const dark = new Map([...light, ...tokens(".dark")]);

for (const [theme, palette] of [
  ["light", light],
  ["dark", dark],
] as const) {
  test(`every text and border of the ${theme} theme can be read on every surface it sits on`, () => {
    const tooFaint = PAIRS.flatMap(([foreground, backgrounds, need]) =>
      backgrounds.flatMap((background) => {
        const ratio = contrast(luminance(palette, foreground), luminance(palette, background));
        return ratio < need ? [`${foreground} on ${background}: ${ratio.toFixed(2)} < ${need}`] : [];
      }),
    );
    expect(tooFaint).toEqual([]);
  });
}

test("the measure agrees with the design guide's numbers", () => {
  expect(contrast(luminance(light, "ink"), luminance(light, "hover"))).toBeCloseTo(13.8, 0);
  expect(contrast(luminance(dark, "on-red"), luminance(dark, "red-solid"))).toBeCloseTo(4.7, 1);
});

function tokens(selector: string): Map<string, string> {
  const at = css.search(
    new RegExp(`^\\${selector[0]}${selector.slice(1)} \\{\\n(  @media not print \\{\\n)?\\s+color-scheme`, "m"),
  );
  const block = css.slice(at, css.indexOf("}", at));
  return new Map([...block.matchAll(/--([\w-]+):\s*([^;]+);/g)].map(([, name = "", value = ""]) => [name, value]));
}

function luminance(palette: Map<string, string>, name: string): number {
  const value = palette.get(name) ?? "";
  const alias = /^var\(--([\w-]+)\)$/.exec(value)?.[1];
  if (alias) return luminance(palette, alias);
  const parts = /^oklch\(([\d.]+) ([\d.]+) ([\d.]+)\)$/.exec(value);
  if (!parts) throw new Error(`--${name} is no oklch() colour: "${value}"`);
  const [red, green, blue] = oklchToLinear(Number(parts[1]), Number(parts[2]), Number(parts[3]));
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** CSS Color 4, with colours outside sRGB clipped as screens do. */
function oklchToLinear(lightness: number, chroma: number, hueDeg: number): [number, number, number] {
  const a = chroma * Math.cos((hueDeg * Math.PI) / 180);
  const b = chroma * Math.sin((hueDeg * Math.PI) / 180);
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3;
  const clip = (value: number) => Math.min(1, Math.max(0, value));
  return [
    clip(4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s),
    clip(-1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s),
    clip(-0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s),
  ];
}

function contrast(one: number, other: number): number {
  return (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05);
}
