import { readFileSync } from "node:fs";
import { TERMS_VERSION } from "@server/contract/accounts";
import { APP_PATHS, PUBLIC_PAGES as SERVED } from "@server/contract/paths";
import { createElement } from "react";
import { renderToString } from "react-dom/server";
import { expect, test } from "vitest";
import { PAINTED_SETTINGS } from "@/lib/use-local-setting";
import { PRIVACY, TERMS } from "./content";
import { PUBLIC_PAGES } from "./public-pages";

const html = new Map(Object.values(PUBLIC_PAGES).map(({ path, Page }) => [path, renderToString(createElement(Page))]));

test("every page the server serves is prerendered, under the name it asks for", () => {
  const prerendered = Object.entries(PUBLIC_PAGES).flatMap(([name, { path }]) => (path ? [[path, name]] : []));
  expect(Object.fromEntries(prerendered)).toEqual(SERVED);
});

test("every link leads to a page and a section that exist", () => {
  const dead = [...html].flatMap(([path, page]) =>
    [...page.matchAll(/href="([^"]*)"/g)].map(([, href = ""]) => href).filter((href) => !exists(href, path)),
  );
  expect(dead).toEqual([]);
});

test("every page has one h1, and says in the head what it is", () => {
  for (const page of html.values()) expect(page.match(/<h1/g)).toHaveLength(1);
  const titles = Object.values(PUBLIC_PAGES).map((page) => page.title);
  expect(new Set(titles).size).toBe(titles.length);
});

test("the counters' final figures, the reply time and the hours stand in the text", () => {
  for (const words of ["10,000+", "5+", "3+", "within 24 hours", "Mon-Fri 9 AM - 6 PM"]) {
    expect(html.get("/")).toContain(words);
  }
});

test("the version that sign-up records is the day of both legal texts", () => {
  expect([TERMS.dated, PRIVACY.dated]).toEqual([TERMS_VERSION, TERMS_VERSION]);
});

test("both documents set the theme by one short script, so that one CSP hash serves", () => {
  const [app, pages] = ["index.html", "public.html"].map(inlineScripts);
  expect(app).toEqual(pages);
  expect(app).toHaveLength(1);
  const lines = app?.[0]?.trim().split("\n") ?? [];
  expect(lines.length).toBeLessThanOrEqual(5);
  for (const key of Object.keys(PAINTED_SETTINGS)) expect(app?.[0]).toContain(`localStorage.${key}`);
});

function exists(href: string, from: string | null): boolean {
  if (href.startsWith("mailto:")) return true;
  const [path = "", id] = href.split("#");
  const target = html.get(path === "" ? from : path);
  if (target === undefined) return APP_PATHS.some((known) => known === path);
  return id === undefined || target.includes(`id="${id}"`);
}

function inlineScripts(file: string): string[] {
  const text = readFileSync(new URL(`../../../${file}`, import.meta.url), "utf8");
  return [...text.matchAll(/<script>([\s\S]*?)<\/script>/g)].map(([, code = ""]) => code);
}
