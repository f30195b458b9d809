import { brotliDecompressSync } from "node:zlib";
import { beforeEach, expect, test } from "vitest";
import { FIRST_ANSWERS_ID } from "../contract/first-answers";
import { appDocuments, type DrawnPage, type FirstAnswersReader, type Visitor } from "./app-documents";

const ENTRY =
  '\n<script type="module" src="/assets/app.js"></script>\n<link rel="modulepreload" href="/assets/react.js">';
const HTML = `<html><head><title>x</title>${ENTRY}</head><body><div id="root"></div></body></html>`;
const SCRIPTS = {
  "/dashboard": ["assets/react.js", "assets/app.js"],
  "/admin": ["assets/admin.js"],
  "/login": ["assets/login.js"],
};

let visitor: Visitor | Promise<Visitor>;
let readFirst: FirstAnswersReader;
let draw: (visit: DrawnPage) => Promise<string | null>;

beforeEach(() => {
  visitor = "user";
  readFirst = async ({ page }) => `{"page":"${page}","title":"</script><b>&"}`;
  draw = async ({ href }) => `<p>${href}</p>`;
});

function open(path: string, headers: Record<string, string> = {}, method = "GET"): Promise<Response> {
  const routes = appDocuments({
    html: HTML,
    scripts: SCRIPTS,
    findVisitor: async () => visitor,
    readFirst: (visit) => readFirst(visit),
    draw: (visit) => draw(visit),
  });
  return Promise.resolve(routes.request(path, { method, headers: { cookie: "a=b", ...headers } }));
}

const dataOf = (html: string) => new RegExp(`id="${FIRST_ANSWERS_ID}">([^<]*)</script>`).exec(html)?.[1];

test("carries what the page asks first as data that cannot end its element, and is kept nowhere", async () => {
  const answer = await open("/dashboard?tab=done");
  const html = await answer.text();
  expect(answer.headers.get("cache-control")).toBe("no-store");
  expect([answer.headers.get("etag"), answer.headers.get("vary")]).toEqual([null, expect.stringContaining("Cookie")]);
  expect(JSON.parse(dataOf(html) ?? "")).toEqual({ page: "/dashboard", title: "</script><b>&" });
  expect(html).toContain('<div id="root"><p>/dashboard?tab=done</p></div>');
  expect(html).toContain("/assets/app.js");
});

test("sends its head before anything is read, compressed too", async () => {
  let answer: (first: string) => void = () => {};
  readFirst = () => new Promise((resolve) => (answer = resolve));
  const reader = (await open("/dashboard", { "accept-encoding": "br" })).body?.getReader();
  const head = await reader?.read();
  answer("{}");
  const chunks = [head?.value ?? new Uint8Array()];
  for (let next = await reader?.read(); next && !next.done; next = await reader?.read()) chunks.push(next.value);
  expect(chunks.length).toBeGreaterThan(1);
  expect(dataOf(brotliDecompressSync(Buffer.concat(chunks)).toString())).toBe("{}");
});

test("a reading that fails, or takes too long, leaves the questions to the page", async () => {
  readFirst = () => Promise.reject(new Error("no database"));
  expect(await (await open("/dashboard")).text()).toBe(await whole());
  readFirst = () => new Promise(() => {});
  expect(await (await open("/dashboard")).text()).toBe(await whole());
  readFirst = async () => "{}";
  draw = () => Promise.reject(new Error("no document"));
  expect(dataOf(await (await open("/dashboard")).text())).toBe("{}");
});

const whole = async () =>
  HTML.replace("<title>x", "<title>Projects Board · Sangam").replace(
    `${ENTRY}</head>`,
    ["react", "app"]
      .map((name) => `  <script type="module" fetchpriority="low" crossorigin src="/assets/${name}.js"></script>\n  `)
      .concat(`<link rel="expect" href="#${FIRST_ANSWERS_ID}" blocking="render">\n  </head>`)
      .join(""),
  );

test("nobody's data is read for the signed-out, nor for an account that may not sign in, nor by HEAD", async () => {
  readFirst = () => Promise.reject(new Error("read"));
  visitor = "signed-out";
  const answer = await open("/dashboard");
  const html = await answer.text();
  expect(answer.headers.get("cache-control")).toBe("no-cache");
  expect(JSON.parse(dataOf(html) ?? "").answers).toEqual([{ result: { data: { json: null } } }]);
  expect(html).toContain("/assets/login.js");
  const tag = answer.headers.get("etag") ?? "";
  expect((await open("/dashboard", { "if-none-match": tag })).status).toBe(304);
  visitor = "unknown";
  expect(dataOf(await (await open("/dashboard")).text())).toBeUndefined();
  visitor = Promise.reject(new Error("no database"));
  expect((await open("/dashboard")).status).toBe(200);
  visitor = "user";
  const head = await open("/dashboard", {}, "HEAD");
  expect([head.status, head.headers.get("cache-control"), await head.text()]).toEqual([200, "no-store", ""]);
});

test("whoever will be led elsewhere is given what that page asks, and no drawing of this one", async () => {
  const html = await (await open("/admin")).text();
  expect(JSON.parse(dataOf(html) ?? "").page).toBe("/dashboard");
  expect(html).toContain("/assets/app.js");
  expect(html).toContain('<div id="root"></div>');
});

test("a drawing makes the next ones wait: meanwhile documents carry the frame and the data", async () => {
  let finish: (content: string) => void = () => {};
  const drawn: (string | null)[] = [];
  draw = ({ first }) => {
    drawn.push(first);
    return first === null ? Promise.resolve("<i></i>") : new Promise((resolve) => (finish = resolve));
  };
  readFirst = async () => "{}";
  const routes = appDocuments({
    html: HTML,
    scripts: SCRIPTS,
    findVisitor: async () => "user",
    readFirst: (visit) => readFirst(visit),
    draw: (visit) => draw(visit),
  });
  const first = Promise.resolve(routes.request("/dashboard")).then((answer) => answer.text());
  await expect.poll(() => drawn).toEqual(["{}"]);
  const second = await (await routes.request("/dashboard")).text();
  expect(second).toContain('<div id="root"><i></i></div>');
  expect(dataOf(second)).toBe("{}");
  finish("<p></p>");
  expect(await first).toContain('<div id="root"><p></p></div>');
});
