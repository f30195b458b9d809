import { createServer, type IncomingMessage, request, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout } from "node:timers/promises";
import { brotliCompressSync } from "node:zlib";
import type { Page } from "@playwright/test";
import { build } from "vite";
import type { Tree } from "./floor-tree";

const SCRIPT = "/floor-page.js";

/**
 * The bare floor of a page's first load: the very document, style and fonts of ours, and in place of our scripts the least that
 * takes it over on the same stack (`floor-page-app.tsx`). What no page of it has comes from our server.
 */
export async function startFloorPages(server: { url: string }) {
  const files = new Map([[SCRIPT, { type: "text/javascript", bytes: await bundleApp() }]]);
  const listener = createServer((asked, answer) => {
    const file = files.get(asked.url ?? "");
    if (file) {
      const cache = file.type === "text/html" ? "no-store" : "public, max-age=31536000, immutable";
      answer.writeHead(200, { "content-type": file.type, "content-encoding": "br", "cache-control": cache });
      answer.end(file.bytes);
    } else passOn(server.url, asked, answer);
  });
  await new Promise<void>((resolve) => listener.listen(0, "127.0.0.1", resolve));
  const { port } = listener.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    /** Takes the document that a phone with the page's cookies gets at that path. */
    async add(page: Page, path: string): Promise<void> {
      const html = await drawnDocument(page, `${server.url}${path}`);
      // tsx has functions named by a function that no page knows.
      await page.evaluate("globalThis.__name = (named) => named");
      files.set(path, {
        type: "text/html",
        bytes: brotliCompressSync(await page.evaluate(onFloor, { html, script: SCRIPT })),
      });
    },
    close: () => new Promise<void>((resolve) => void listener.close(() => resolve())),
  };
}

/** A document comes without its drawing while the server has no time for one. */
async function drawnDocument(page: Page, url: string): Promise<string> {
  for (let attempt = 0; attempt < 20; attempt += 1) {
    const html = await (await page.request.get(url, { headers: { "sec-ch-ua-mobile": "?1" } })).text();
    if (html.includes("data-drawing")) return html;
    await setTimeout(500);
  }
  throw new Error(`${url} came without its drawing`);
}

/** In the browser: the document with the floor's script in place of ours, and what that hydrates. */
function onFloor({ html, script }: { html: string; script: string }): string {
  const takeTree = (parent: Element): Tree[] =>
    [...parent.childNodes].flatMap((node): Tree[] => {
      if (node instanceof Text) return [node.data];
      if (node instanceof Element) {
        const className = node.getAttribute("class") ?? "";
        return [{ tag: node.localName, className, children: takeTree(node) }];
      }
      // Between two texts it stays; others mark what React has drawn as a part.
      if (node instanceof Comment && node.data.trim() !== "") node.remove();
      return [];
    });
  const parsed = new DOMParser().parseFromString(html, "text/html");
  for (const ours of parsed.querySelectorAll("script[type=module], link[rel=modulepreload]")) ours.remove();
  const root = parsed.getElementById("root");
  if (!root) throw new Error("the document has no root");
  const data = parsed.createElement("script");
  data.id = "tree";
  data.type = "application/json";
  // No tag ends the data.
  data.textContent = JSON.stringify(takeTree(root)).replaceAll("<", "\\u003c");
  const first = parsed.createElement("script");
  first.type = "module";
  first.src = script;
  parsed.body.append(data, first);
  return `<!doctype html>${parsed.documentElement.outerHTML}`;
}

async function bundleApp(): Promise<Buffer> {
  const built = await build({
    configFile: false,
    logLevel: "error",
    publicDir: false,
    resolve: { tsconfigPaths: true },
    define: { "process.env.NODE_ENV": '"production"' },
    build: { write: false, modulePreload: false, rolldownOptions: { input: "bench/lib/floor-page-app.tsx" } },
  });
  const [{ output }] = [built].flat() as [Extract<typeof built, { output: unknown }>];
  return brotliCompressSync(output[0].code);
}

function passOn(to: string, asked: IncomingMessage, answer: ServerResponse): void {
  const ours = request(`${to}${asked.url}`, { method: asked.method, headers: asked.headers }, (found) => {
    answer.writeHead(found.statusCode ?? 502, found.headers);
    found.pipe(answer);
  });
  ours.on("error", () => answer.writeHead(502).end());
  asked.pipe(ours);
}
