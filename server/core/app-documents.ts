import type { AccountType } from "@db/enums";
import { type Context, Hono } from "hono";
import { etag } from "hono/etag";
import { FIRST_ANSWERS_ID } from "../contract/first-answers";
import { APP_PAGES, type AppPage } from "../contract/paths";
import { type Page, pageOf, sendPage, streamDocument } from "./documents";
import { withReadTimeout } from "./read-timeout";
import type { Renderer } from "./renderer";

/** Who opens a page in a browser; "unknown" where the page has to ask, which also says why an account may not sign in. */
export type Visitor = AccountType | "signed-out" | "unknown";

/** What a page asks first, answered for whoever the cookie belongs to: JSON of `FirstAnswers`. */
export type FirstAnswersReader = (visit: {
  page: AppPage;
  type: AccountType;
  cookie: string;
  bindings: object;
}) => Promise<string>;

/** A page as it will look once its script runs. */
export interface DrawnPage {
  href: string;
  /** What its document carries; null: only the frame of all pages. */
  first: string | null;
  isPhone: boolean;
}

export interface AppDocumentOptions {
  findVisitor: (headers: Headers) => Promise<Visitor>;
  readFirst: FirstAnswersReader;
  draw: Renderer<DrawnPage>;
}

interface Visited {
  Variables: { visitor: Visitor };
}

/** A document waits no longer for the answer to who opens it, and then for what its page asks first: the page asks for itself. */
const TIMEOUT_MS = 500;
/** Of the time of the process, that drawing may take: others wait for one drawing of some 10 ms, never for one after the other. */
const MAX_SHARE = 0.2;

const ROOT = '<div id="root">';
/**
 * Until its content is there the browser shows the page before, not an empty one that it styles, lays out and paints in vain. What is
 * expected stands behind the content; without it the end of the document will do.
 */
const EXPECT_CONTENT = `<link rel="expect" href="#${FIRST_ANSWERS_ID}" blocking="render">\n  `;
/** How the build names the first script of all pages, and what that needs. */
const ENTRY = /\s*<(?:script type="module"[^>]*><\/script|link rel="modulepreload"[^>]*)>/g;
/** What is known of somebody without a session, without asking anybody. */
const SIGNED_OUT = '{"cursor":null,"calls":[{"path":"auth.me"}],"answers":[{"result":{"data":{"json":null}}}]}';

/**
 * The documents of the app's pages. Each names what the page at its address runs, so that all of it is fetched at once, and
 * carries what the page asks first: its head is sent before that is read.
 */
export function appDocuments({
  html,
  scripts,
  findVisitor,
  readFirst,
  draw,
}: AppDocumentOptions & { html: string; scripts: Record<string, string[]> }): Hono<Visited> {
  const routes = new Hono<Visited>();
  /** What is the same for everybody who is not signed in. */
  const commons = new Map<string, Page>();
  const documentOf = (page: AppPage, opened: string) =>
    withScripts(
      html.replace(/<title>[^<]*/, `<title>${APP_PAGES[page]} · Sangam`),
      scripts[opened] ?? scripts[opened.replace("/:id", "")] ?? [],
    );
  const drawn = (visit: DrawnPage) => draw(visit).catch(() => null);
  let freeAtMs = 0;
  /** The frame alone while drawings have had their share: its page is shown by the script. */
  async function drawnInTurn(visit: DrawnPage): Promise<string | null> {
    const startMs = performance.now();
    if (startMs < freeAtMs) return drawn({ ...visit, first: null });
    freeAtMs = Number.POSITIVE_INFINITY;
    const content = await drawn(visit);
    const endMs = performance.now();
    freeAtMs = endMs + (endMs - startMs) * (1 / MAX_SHARE - 1);
    return content;
  }

  async function* personal(c: Context, { page, type }: { page: AppPage; type: AccountType }): AsyncGenerator<string> {
    const opened = openedBy(page, type);
    const [head = "", rest = ""] = documentOf(page, opened).split(ROOT);
    const cookie = c.req.header("cookie") ?? "";
    const reading = readFirst({ page: opened, type, cookie, bindings: c.env ?? {} });
    yield head.replace("</head>", `${EXPECT_CONTENT}</head>`) + ROOT;
    const first = await withReadTimeout(reading, TIMEOUT_MS).catch(() => null);
    const { pathname, search } = new URL(c.req.url);
    const isWanted = first !== null && opened === page;
    const content = isWanted ? await drawnInTurn({ href: pathname + search, first, isPhone: isPhone(c) }) : null;
    yield (content ?? "") + withFirst(rest, first);
  }

  async function common(c: Context, { page, visitor }: { page: AppPage; visitor: "signed-out" | "unknown" }) {
    const opened = openedBy(page, visitor);
    const key = `${page} ${visitor} ${isPhone(c)}`;
    const known = commons.get(key);
    if (known) return known;
    const first = visitor === "unknown" ? null : SIGNED_OUT;
    const content = first === null ? null : await drawn({ href: opened, first, isPhone: isPhone(c) });
    const made = pageOf(withFirst(documentOf(page, opened), first).replace(ROOT, () => ROOT + (content ?? "")));
    commons.set(key, made);
    return made;
  }

  for (const [page, path] of routesOfPages()) {
    routes.get(
      path,
      async (c, next) => {
        c.header("x-robots-tag", "noindex");
        const visitor = await withReadTimeout(findVisitor(c.req.raw.headers), TIMEOUT_MS).catch(
          () => "unknown" as const,
        );
        c.set("visitor", visitor);
        if (visitor === "signed-out" || visitor === "unknown") return next();
        return varying(streamDocument(c, () => personal(c, { page, type: visitor })));
      },
      etag(),
      async (c) => {
        const visitor = c.get("visitor") === "signed-out" ? "signed-out" : "unknown";
        return varying(sendPage(c, await common(c, { page, visitor })));
      },
    );
  }
  return routes;
}

/** What is copied and mailed: leads to the task over the first page of whoever follows it. */
export function taskLinks({ findVisitor }: Pick<AppDocumentOptions, "findVisitor">): Hono {
  const routes = new Hono();
  routes.get("/task/:key{[a-zA-Z]+[0-9]*-[0-9]+}", async (c) => {
    const visitor = await withReadTimeout(findVisitor(c.req.raw.headers), TIMEOUT_MS).catch(() => "unknown" as const);
    c.header("x-robots-tag", "noindex");
    c.header("cache-control", "no-store");
    return c.redirect(linkToTask(c.req.param("key"), visitor));
  });
  return routes;
}

/** Where the link to a task leads; whoever is signed out follows it once they have signed in. */
function linkToTask(key: string, visitor: Visitor): string {
  if (visitor === "signed-out") return `/login?redirect=%2Ftask%2F${key}`;
  const home = visitor === "admin" || visitor === "client" ? visitor : "dashboard";
  return `/${home}?task=${key.toUpperCase()}`;
}

/** The app's pages, each with its address as a route. */
export function routesOfPages(): [AppPage, string][] {
  return Object.keys(APP_PAGES)
    .filter((path): path is AppPage => path in APP_PAGES)
    .map((path) => [path, path.replace(":id", ":id{[0-9a-fA-F-]+}")]);
}

/**
 * Each file in a task of its own, in the order in which they need each other, and none of them before the style and the letters,
 * which are all that the page needs to be seen.
 */
function withScripts(html: string, files: readonly string[]): string {
  if (files.length === 0) return html;
  const elements = files.map(
    (file) => `  <script type="module" fetchpriority="low" crossorigin src="/${file}"></script>\n  `,
  );
  return html.replace(ENTRY, "").replace("</head>", () => `${elements.join("")}</head>`);
}

/** Data for the page's script, which runs once the whole document is there. Nothing in it ends the element or begins another. */
function withFirst(html: string, first: string | null): string {
  if (first === null) return html;
  const escaped = first.replace(
    /[<>&\u2028\u2029]/g,
    (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
  const element = `<script type="application/json" id="${FIRST_ANSWERS_ID}">${escaped}</script>\n  `;
  return html.replace("</body>", () => `${element}</body>`);
}

/** Where the browser will be led from this page, so that nothing is fetched in vain. Unknown: the page that was asked for. */
function openedBy(page: AppPage, visitor: Visitor): AppPage {
  const shell = /^\/(admin|client|dashboard|sign-offs)\b/.exec(page)?.[1];
  if (!shell || visitor === "unknown") return page;
  if (visitor === "signed-out") return "/login";
  if (shell === "dashboard" || shell === "sign-offs" || shell === visitor) return page;
  return visitor === "admin" ? "/admin" : "/dashboard";
}

function isPhone(c: Context): boolean {
  return c.req.header("sec-ch-ua-mobile") === "?1" || /\bMobi/.test(c.req.header("user-agent") ?? "");
}

/** Says by what the document was chosen. */
function varying(answer: Response): Response {
  answer.headers.append("vary", "Cookie, Sec-CH-UA-Mobile, User-Agent");
  return answer;
}
