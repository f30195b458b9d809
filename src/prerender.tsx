import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { StrictMode } from "react";
import { renderToString } from "react-dom/server";
import { PUBLIC_PAGES } from "./features/marketing/public-pages";

/** Run after both builds: writes dist/pages/*.html, the public pages with their text in them. */
const dist = new URL("../dist/", import.meta.url);
const template = readFileSync(new URL("public.html", dist), "utf8");

mkdirSync(new URL("pages/", dist), { recursive: true });
for (const [name, { title, description, Page }] of Object.entries(PUBLIC_PAGES)) {
  const content = renderToString(
    <StrictMode>
      <Page />
    </StrictMode>,
  );
  const html = [
    [/<title>[^<]*<\/title>/, `<title>${escapeHtml(title)}</title>`],
    [/(<meta name="description" content=")[^"]*"/, `$1${escapeHtml(description)}"`],
    [/<div id="root"><\/div>/, `<div id="root" data-page="${name}">${content}</div>`],
  ] as const;
  writeFileSync(new URL(`pages/${name}.html`, dist), html.reduce(fill, template));
}

function fill(document: string, [place, text]: readonly [RegExp, string]): string {
  if (!place.test(document)) throw new Error(`dist/public.html has no ${place}; the pages cannot be prerendered.`);
  return document.replace(place, (...match) => text.replace("$1", typeof match[1] === "string" ? match[1] : ""));
}

function escapeHtml(text: string): string {
  return text.replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/"/g, "&quot;");
}
