import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { PROGRAMMES } from "@db/enums";
import type { InquiryFormState } from "@server/contract/inquiry-form";
import type { PublicPageName } from "@server/contract/paths";
import { PUBLIC_URL_MARK, REFERENCE_PAGE, ROOT_MARKS, PUBLIC_PAGES as SERVED } from "@server/contract/paths";
import { escapeHtml } from "@server/contract/text";
import { renderToStaticMarkup } from "react-dom/server";
import { FIRM } from "./features/marketing/content/firm";
import { NoScript } from "./features/marketing/no-script";
import { CARDS, type CardName, PUBLIC_PAGES } from "./features/marketing/public-pages";
import { structuredData } from "./features/marketing/structured-data";
import { type OpenApiDocument, readReference } from "./features/reference/reference-document";
import { ReferencePage } from "./features/reference/reference-page";
import { renderRoot } from "./render-page";

/** Runs after both builds: writes the public pages with their text (dist/pages/*.html) and the API reference. */
const dist = new URL("../dist/", import.meta.url);
const template = readFileSync(new URL("public.html", dist), "utf8");
const pageFiles: Record<string, string[]> = JSON.parse(readFileSync(new URL(".vite/pages.json", dist), "utf8"));

const PAGE_FILES: Record<PublicPageName, string> = {
  index: "landing",
  careers: "careers",
  kartavya: "kartavya",
  blogs: "blogs",
  "privacy-policy-kartavya": "kartavya-policy",
  terms: "terms",
  privacy: "privacy",
  "404": "not-found",
};

mkdirSync(new URL("pages/", dist), { recursive: true });
const pageNames: PublicPageName[] = [...Object.values(SERVED), "404"];
for (const name of pageNames) await write(name, name);
// Where form links lead in browsers without JavaScript: `variantOf` in server/core/static-pages.ts.
await write("index", "index.sent", { isSent: true });
await write("careers", "careers.sent", { isSent: true });
for (const programme of PROGRAMMES) await write("careers", `careers.${programme}`, { values: { programme } });
writeReference();
writeApp();
writeSecurityText();

async function write(name: PublicPageName, file: string, form: InquiryFormState = {}): Promise<void> {
  const { title, description, card } = PUBLIC_PAGES[name];
  const path = Object.entries(SERVED).find(([, served]) => served === name)?.[0];
  const html = [
    [/<title>[^<]*<\/title>/, `<title>${escapeHtml(title)}</title>`],
    [/<meta name="description" content="[^"]*" \/>/, meta({ description })],
    [/<!--head-->/, head({ path, title, description, card }, [...preloads(name), ...dataOf(name)])],
    [/<div id="root"><\/div>/, ROOT_MARKS.join(await renderRoot({ name, form }))],
  ] as const;
  writeFileSync(new URL(`pages/${file}.html`, dist), html.reduce(fill, template));
}

/** The app is an empty page without JavaScript: adds what to do, and how to reach the firm. */
function writeApp(): void {
  const file = new URL("index.html", dist);
  const content = renderToStaticMarkup(<NoScript />);
  writeFileSync(
    file,
    fill(readFileSync(file, "utf8"), [/<div id="root"><\/div>/, `<div id="root"></div>\n    ${content}`]),
  );
}

/** Where to report security problems (RFC 9116): to whoever runs the server. That adds its address and the expiry date. */
function writeSecurityText(): void {
  const lines = [
    `Contact: ${PUBLIC_URL_MARK}/contact`,
    "Preferred-Languages: en",
    `Canonical: ${PUBLIC_URL_MARK}/.well-known/security.txt`,
    `Policy: ${PUBLIC_URL_MARK}/terms#conduct`,
  ];
  writeFileSync(new URL("pages/security.txt", dist), `${lines.join("\n")}\n`);
}

/** The document served at /api/openapi.json as a page whose only script sets the theme. */
function writeReference(): void {
  const document: OpenApiDocument = JSON.parse(readFileSync(new URL("../docs/openapi.json", dist), "utf8"));
  writeFileSync(new URL("openapi.json", dist), JSON.stringify(document));
  const title = "API reference · Sangam";
  const description = "Every procedure of Sangam's API: what it takes, answers and refuses, and who may call it.";
  const content = renderToStaticMarkup(<ReferencePage reference={readReference(document)} />);
  const html = [
    [/<title>[^<]*<\/title>/, `<title>${title}</title>`],
    [/<meta name="description" content="[^"]*" \/>/, meta({ description })],
    [/<!--head-->/, head({ path: REFERENCE_PAGE, title, description, card: "sangam" })],
    [/<div id="root"><\/div>/, `<div id="root">${content}</div>`],
  ] as const;
  const still = template.replace(/\s*<script type="module".*?<\/script>|\s*<link rel="modulepreload"[^>]*>/g, "");
  writeFileSync(new URL("reference.html", dist), html.reduce(fill, still));
}

type Head = { path: string | undefined; title: string; description: string; card: CardName };

/** For search engines and link previews, then the page's own elements. A page without an address is not indexed. */
function head({ path, title, description, card }: Head, own: string[] = []): string {
  const url = path === undefined ? undefined : `${PUBLIC_URL_MARK}${path}`;
  return [
    url === undefined ? meta({ robots: "noindex" }) : `<link rel="canonical" href="${url}" />`,
    ...Object.entries({
      "og:type": "website",
      "og:site_name": FIRM.product,
      "og:title": title,
      "og:description": description,
      ...(url !== undefined && { "og:url": url }),
      "og:image": `${PUBLIC_URL_MARK}/og-${card}.png`,
      "og:image:width": "1200",
      "og:image:height": "630",
      "og:image:alt": `${CARDS[card].title} ${CARDS[card].about}`,
    }).map(([property, content]) => `<meta property="${property}" content="${escapeHtml(content)}" />`),
    meta({ "twitter:card": "summary_large_image" }),
    ...own,
  ].join("\n    ");
}

function dataOf(name: PublicPageName): string[] {
  const data = structuredData(name);
  // "<" would end the element.
  return data ? [`<script type="application/ld+json">${JSON.stringify(data).replace(/</g, "\\u003c")}</script>`] : [];
}

function meta(pair: Record<string, string>): string {
  return Object.entries(pair)
    .map(([name, content]) => `<meta name="${name}" content="${escapeHtml(content)}" />`)
    .join("\n    ");
}

/** The page's chunk and its imports, so that they load in parallel with the entry. */
function preloads(name: PublicPageName): string[] {
  const known = new Set([...template.matchAll(/(?:src|href)="\/(assets\/[^"]+)"/g)].map(([, file]) => file));
  const files = pageFiles[PAGE_FILES[name]];
  if (!files) throw new Error(`The build has no file for the page "${name}".`);
  return files
    .filter((file) => !known.has(file))
    .map((file) => `<link rel="modulepreload" crossorigin href="/${file}" />`);
}

function fill(document: string, [place, text]: readonly [RegExp, string]): string {
  if (!place.test(document)) throw new Error(`dist/public.html has no ${place}; the pages cannot be prerendered.`);
  return document.replace(place, () => text);
}
