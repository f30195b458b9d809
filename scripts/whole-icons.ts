import type { Plugin } from "vite";

const ICON = /[\\/]lucide-react[\\/].*[\\/]icons[\\/][^\\/]+\.m?js$/;
/** What an icon is made of, as the package writes it. */
const NODE = /node: \[\n(.*?)\n {2}\]/s;
const PATH = /[ ]*\["path", \{ d: "([^"]+)", key: "[^"]*" \}\],?\n?/g;
const NUMBER = String.raw`-?(?:\d+\.?\d*|\.\d+)`;
/** Where a path begins relative to nothing. */
const BEGIN = new RegExp(String.raw`^m\s*(${NUMBER})[\s,]*(${NUMBER})\s*`);

/**
 * The paths of each icon in one: it draws the same, and is one element instead of up to eight. Start pages have a hundred icons, and the
 * browser computes the style of each element, and React takes it over.
 */
export function wholeIcons(): Plugin {
  return { name: "whole-icons", transform: (code, id) => (ICON.test(id) ? withOnePath(code) : null) };
}

/** The code of an icon of lucide-react; null where there is nothing to join. */
export function withOnePath(code: string): string | null {
  const paths: string[] = [];
  const joined = code.replace(NODE, (_all, parts: string) => {
    const others = parts.replaceAll(PATH, (_part, path: string) => {
      paths.push(absolute(path));
      return "";
    });
    return `node: [\n    ["path", { d: "${paths.join("")}", key: "paths" }],\n${others}\n  ]`;
  });
  return paths.length > 1 ? joined : null;
}

/** Behind another path it would begin where that one ends. What follows the first point is relative to it, also without a letter. */
function absolute(path: string): string {
  return path.replace(BEGIN, (begin, x: string, y: string) => {
    const isLine = /^[-.\d]/.test(path.slice(begin.length));
    return `M${x} ${y}${isLine ? "l" : ""}`;
  });
}
