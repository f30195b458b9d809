import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { type ReactNode, StrictMode } from "react";
import { renderToString } from "react-dom/server";
import { PUBLIC_PAGES } from "./features/marketing/public-pages";
import { type OpenApiDocument, readReference } from "./features/reference/reference-document";
import { ReferencePage } from "./features/reference/reference-page";

/** Run after both builds: writes dist/pages/*.html, the public pages with their text in them, and the API's reference. */
const dist = new URL("../dist/", import.meta.url);
const template = readFileSync(new URL("public.html", dist), "utf8");

mkdirSync(new URL("pages/", dist), { recursive: true });
for (const [name, { title, description, Page }] of Object.entries(PUBLIC_PAGES)) {
  writePage({ name, title, description, content: <Page />, template });
}

const document: OpenApiDocument = JSON.parse(readFileSync(new URL("../docs/openapi.json", dist), "utf8"));
writeFileSync(new URL("openapi.json", dist), JSON.stringify(document));
writePage({
  name: "docs",
  title: "API reference · Sangam",
  description: "Every procedure of Sangam's API: what it takes, answers and refuses, and who may call it.",
  content: <ReferencePage reference={readReference(document)} />,
  template: template.replace(/\s*<script type="module".*?<\/script>|\s*<link rel="modulepreload"[^>]*>/g, ""),
});

interface PageText {
  name: string;
  title: string;
  description: string;
  content: ReactNode;
  template: string;
}

function writePage({ name, title, description, content, template }: PageText): void {
  const html = [
    [/<title>[^<]*<\/title>/, `<title>${escapeHtml(title)}</title>`],
    [/(<meta name="description" content=")[^"]*"/, `$1${escapeHtml(description)}"`],
    [
      /<div id="root"><\/div>/,
      `<div id="root" data-page="${name}">${renderToString(<StrictMode>{content}</StrictMode>)}</div>`,
    ],
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
