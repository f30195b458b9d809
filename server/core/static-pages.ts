import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { serveStatic } from "@hono/node-server/serve-static";
import { type Context, Hono, type MiddlewareHandler } from "hono";
import { etag } from "hono/etag";
import { APP_PATHS, PUBLIC_PAGES, REFERENCE_PAGE } from "../contract/paths";

/** A build's pages, read once at start. */
interface Pages {
  /** The app behind sign-in. */
  app: string;
  /** By path. */
  public: Map<string, string>;
  notFound: string;
}

/**
 * What the browser loads, and the API's own description: hashed files for ever, pages asked again each time, 404 for what does not exist. Without a build
 * (router tests, `npm run dev`) every path answers 404.
 */
export function staticPages(root: string): { routes: Hono; scriptHashes: string[]; openApi: MiddlewareHandler } {
  const dist = join(root, "dist");
  const pages = readPages(dist);
  const routes = new Hono();
  if (pages.app === "") {
    routes.all("*", (c) => c.text("Not found", 404));
    return { routes, scriptHashes: [], openApi: (_, next) => next() };
  }
  const files = serveStatic({ root: dist, precompressed: true });

  routes.use("/assets/*", async (c, next) => {
    const answer = await files(c, next);
    if (answer?.ok) answer.headers.set("cache-control", "public, max-age=31536000, immutable");
    return answer;
  });
  routes.all("/assets/*", (c) => c.text("Not found", 404));
  routes.use("*", etag());
  for (const path of APP_PATHS) routes.get(path, (c) => page(c, pages.app));
  for (const [path, html] of pages.public) routes.get(path, (c) => page(c, html));
  // Ten times the size of the others.
  const reference = serveStatic({ root: dist, path: "pages/docs.html", precompressed: true });
  routes.get(REFERENCE_PAGE, async (c, next) => {
    const answer = await reference(c, next);
    if (answer?.ok) answer.headers.set("cache-control", "no-cache");
    return answer;
  });
  routes.get("/:file{[a-z0-9-]+\\.(svg|png|ico|txt|webmanifest)}", files);
  routes.all("*", (c) => page(c, pages.notFound, 404));

  const scriptHashes = [pages.app, pages.notFound, ...pages.public.values()].flatMap(inlineScriptHashes);
  const openApi = serveStatic({ root: dist, path: "openapi.json", precompressed: true });
  return { routes, scriptHashes: [...new Set(scriptHashes)], openApi };
}

function page(c: Context, html: string, status: 200 | 404 = 200): Response {
  c.header("cache-control", "no-cache");
  return c.html(html, status);
}

function readPages(dist: string): Pages {
  const read = (file: string) => (existsSync(join(dist, file)) ? readFileSync(join(dist, file), "utf8") : "");
  return {
    app: read("index.html"),
    public: new Map(Object.entries(PUBLIC_PAGES).map(([path, name]) => [path, read(`pages/${name}.html`)])),
    notFound: read("pages/404.html"),
  };
}

/** CSP sources for the inline scripts of a page (the theme, set before the first paint). */
function inlineScriptHashes(html: string): string[] {
  return [...html.matchAll(/<script(?![^>]*\bsrc=)(?![^>]*\bjson\b)[^>]*>([\s\S]*?)<\/script>/g)].map(
    ([, code = ""]) => `'sha256-${createHash("sha256").update(code).digest("base64")}'`,
  );
}
