import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { serveStatic } from "@hono/node-server/serve-static";
import { type Context, Hono, type MiddlewareHandler } from "hono";
import { etag } from "hono/etag";
import { DAY_MS } from "../contract/days";
import { PUBLIC_PAGES, PUBLIC_URL_MARK, REFERENCE_PAGE } from "../contract/paths";
import { type AppDocumentOptions, appDocuments, routesOfPages, taskLinks } from "./app-documents";
import { type Page, pageOf, sendPage } from "./documents";
import { findKeptBuild } from "./kept-builds";

interface StaticOptions extends AppDocumentOptions {
  root: string;
  publicUrl: string;
  /** The folder of the builds that ran before, or run beside this one. */
  keptBuilds: string;
}

/** From the start of the process. RFC 9116 recommends less than a year. */
const SECURITY_TEXT_DAYS = 300;

/** The address of a file rather than a page: browsers and scanners request those, and a short answer is enough. */
const FILE_LIKE = /\.(?!html?$)[a-z0-9]+$|^\/\.well-known\//i;

/**
 * What the browser loads, and the API's own description: hashed files for ever, those of builds in `keptBuilds` too, pages asked
 * again each time, 404 for what does not exist. Without a build (router tests, `npm run dev`) every path but the links to tasks
 * answers 404, and `find` finds nothing.
 */
export function staticPages({ root, publicUrl, keptBuilds, ...visits }: StaticOptions): {
  routes: Hono;
  scriptHashes: string[];
  /** The text of a public page by its file name, such as "careers". */
  find: (name: string) => string | null;
  openApi: MiddlewareHandler;
} {
  const dist = join(root, "dist");
  const pages = new Map<string, Page>();
  const routes = new Hono();
  const read = (file: string): Page | undefined => {
    const path = join(dist, file);
    if (!existsSync(path)) return undefined;
    const page = pageOf(readFileSync(path, "utf8").replaceAll(PUBLIC_URL_MARK, publicUrl));
    pages.set(file, page);
    return page;
  };
  const find = (name: string) => (pages.get(`pages/${name}.html`) ?? read(`pages/${name}.html`))?.html ?? null;
  routes.route("/", taskLinks(visits));
  const app = read("index.html");
  const notFound = read("pages/404.html");
  if (!app || !notFound) {
    routes.all("*", (c) => c.text("Not found", 404));
    return { routes, scriptHashes: [], find, openApi: (_, next) => next() };
  }
  const files = serveStatic({ root: dist, precompressed: true });

  routes.use("/assets/*", forEver(files));
  routes.use("/assets/*", async (c, next) => {
    const build = findKeptBuild(keptBuilds, c.req.path);
    return build === null ? next() : forEver(serveStatic({ root: build, precompressed: true }))(c, next);
  });
  routes.all("/assets/*", (c) => c.text("Not found", 404));
  const scripts: Record<string, string[]> = JSON.parse(readFileSync(join(dist, ".vite", "pages.json"), "utf8"));
  routes.route("/", appDocuments({ html: app.html, scripts, ...visits }));
  routes.use("*", etag());
  for (const [path, name] of Object.entries(PUBLIC_PAGES)) {
    const plain = read(`pages/${name}.html`);
    if (!plain) throw new Error(`The build has no page for ${path}.`);
    routes.get(path, (c) => {
      const variant = variantOf(new URL(c.req.url).searchParams);
      const file = `pages/${name}.${variant}.html`;
      return sendPage(c, (variant && (pages.get(file) ?? read(file))) || plain);
    });
  }
  const reference = read("reference.html");
  if (reference) routes.get(REFERENCE_PAGE, (c) => sendPage(c, reference));
  const appPaths = routesOfPages().map(([, path]) => path);
  for (const path of [...appPaths, ...Object.keys(PUBLIC_PAGES), REFERENCE_PAGE]) {
    if (path === "/") continue;
    routes.get(`${path}/`, (c) => {
      const { pathname, search } = new URL(c.req.url);
      return c.redirect(pathname.slice(0, -1) + search, 301);
    });
  }
  routes.route("/", filesForMachines({ publicUrl, security: read("pages/security.txt")?.html }));
  const tagOf = createFileTags(dist);
  routes.get("/:file{[a-z0-9-]+\\.(svg|png|ico|txt|webmanifest|pdf|js)}", (c, next) => {
    const tag = tagOf(c.req.param("file"));
    if (tag === null) return next();
    c.header("cache-control", "no-cache");
    c.header("etag", tag);
    if (!mayHavePart(c, tag)) c.req.raw.headers.delete("range");
    return files(c, next);
  });
  routes.all("*", (c) => (FILE_LIKE.test(c.req.path) ? c.text("Not found", 404) : sendPage(c, notFound, 404)));

  const scriptHashes = [...pages.values()].flatMap(({ html }) => inlineScriptHashes(html));
  const openApi = serveStatic({ root: dist, path: "openapi.json", precompressed: true });
  return { routes, scriptHashes: [...new Set(scriptHashes)], find, openApi };
}

/** Files whose names hold their hashes. */
function forEver(files: MiddlewareHandler): MiddlewareHandler {
  return async (c, next) => {
    const answer = await files(c, next);
    if (answer?.ok) {
      answer.headers.set("cache-control", "public, max-age=31536000, immutable");
      answer.headers.set("vary", "Accept-Encoding");
    }
    return answer;
  };
}

/**
 * Which form of a page an address asks for: a plain form was sent, or a programme was chosen to apply for. A name for a file,
 * so only letters and hyphens pass; what was not prerendered is the page itself.
 */
function variantOf(search: URLSearchParams): string | null {
  if (search.get("sent") === "1") return "sent";
  const programme = search.get("programme");
  return programme && /^[a-z-]{1,40}$/.test(programme) ? programme : null;
}

/** The tag of a whole file below `folder`, also for an answer that holds a part of it; null: there is no such file. */
function createFileTags(folder: string): (file: string) => string | null {
  const tags = new Map<string, string>();
  return (file) => {
    const known = tags.get(file);
    if (known !== undefined) return known;
    const path = join(folder, file);
    if (!existsSync(path)) return null;
    const tag = `"${createHash("sha256").update(readFileSync(path)).digest("base64url").slice(0, 22)}"`;
    tags.set(file, tag);
    return tag;
  };
}

/** One range, of the version that the browser has: a part of another one would be glued to that. */
function mayHavePart(c: Context, tag: string): boolean {
  const version = c.req.header("if-range");
  return /^bytes=(\d+-\d*|-\d+)$/.test(c.req.header("range") ?? "") && (version === undefined || version === tag);
}

/** robots.txt, sitemap.xml and security.txt. */
function filesForMachines({ publicUrl, security }: { publicUrl: string; security: string | undefined }): Hono {
  const routes = new Hono();
  // The app behind sign-in says "noindex" itself: to be obeyed, that has to be read.
  const robots = `User-agent: *\nDisallow: /api/\n\nSitemap: ${publicUrl}/sitemap.xml\n`;
  const urls = [...Object.keys(PUBLIC_PAGES), REFERENCE_PAGE].map(
    (path) => `  <url><loc>${publicUrl}${path}</loc></url>`,
  );
  const sitemap = [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">',
    ...urls,
    "</urlset>\n",
  ].join("\n");
  const expires = new Date(Date.now() + SECURITY_TEXT_DAYS * DAY_MS).toISOString();
  routes.get("/robots.txt", (c) => c.text(robots));
  routes.get("/sitemap.xml", (c) => c.body(sitemap, 200, { "content-type": "application/xml" }));
  if (security) routes.get("/.well-known/security.txt", (c) => c.text(`${security}Expires: ${expires}\n`));
  return routes;
}

/** CSP sources for the inline scripts of a page (the theme, set before the first paint); data is no script. */
function inlineScriptHashes(html: string): string[] {
  return [...html.matchAll(/<script(?![^>]*\bsrc=)(?![^>]*\bjson\b)[^>]*>([\s\S]*?)<\/script>/g)].map(
    ([, code = ""]) => `'sha256-${createHash("sha256").update(code).digest("base64")}'`,
  );
}
