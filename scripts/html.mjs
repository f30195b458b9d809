// Every document that the server sends, by html-validate. `node --import tsx scripts/html.mjs` after a build.
import { HtmlValidate, StaticConfigLoader } from "html-validate";
import { PUBLIC_PAGES, REFERENCE_PAGE } from "../server/contract/paths.ts";
import { createFormPages } from "../server/core/form-pages.ts";
import { staticPages } from "../server/core/static-pages.ts";
import { fail, ROOT } from "./shell.mjs";

/** React writes attributes, ids and styles in its own way, and the build some tags. */
const RULES = {
  "attr-case": "off",
  "attribute-boolean-style": "off",
  "attribute-empty-style": "off",
  "doctype-style": ["error", { style: "lowercase" }],
  "no-inline-style": "off",
  "no-trailing-whitespace": "off",
  "valid-id": ["error", { relaxed: true }],
  "void-style": "off",
};

const { routes, find } = staticPages({
  root: ROOT,
  publicUrl: "https://sangam.example",
  findVisitor: async () => "signed-out",
  readFirst: async () => "",
  // What stands there until the script runs is inert, and the app's own, which the browser tests check.
  draw: async () => null,
});
const forms = createFormPages({ root: ROOT, find });
const documents = new Map();
const paths = [
  ...Object.keys(PUBLIC_PAGES),
  ...["/?sent=1", "/careers?sent=1", "/careers?programme=training", REFERENCE_PAGE, "/no-such-page"],
  // The app's pages have one document, with a title for each.
  "/login",
];
for (const path of paths) documents.set(path, await (await routes.request(path)).text());
for (const kind of ["contact", "application"]) {
  const state = { problem: "Not sent.", values: { name: "A" }, fieldErrors: { email: "Please enter an email." } };
  documents.set(`a refused ${kind}`, await forms.draw(kind, state));
}

const validator = new HtmlValidate(new StaticConfigLoader({ extends: ["html-validate:recommended"], rules: RULES }));
const problems = [];
for (const [name, html] of documents) {
  if (!html?.startsWith("<!doctype html>")) fail(`There is no document for ${name}: run \`npm run build\`.`);
  const { results } = await validator.validateString(html, name);
  for (const { messages } of results) {
    problems.push(
      ...messages.map(({ ruleId, message, line, column }) => `${name}:${line}:${column} ${ruleId}: ${message}`),
    );
  }
}
if (problems.length > 0) fail(problems.join("\n"));
console.log(`${documents.size} documents, no problem`);
