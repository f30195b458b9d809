// What is made of the router: the package's declarations, the OpenAPI document and docs/procedures.md.
// `npm run reference` writes them; with --check it fails when they differ from what is committed.
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { printMarkdown } from "./print-markdown";
import { printOpenApi } from "./print-openapi";
import { printTypes } from "./print-types";
import { readProcedures } from "./read-procedures";
import { readTypes } from "./read-types";

const root = process.cwd();
const typed = readTypes(root);
const procedures = readProcedures(typed);
const { named } = typed;
const files = {
  "src/client/api.gen.ts": printTypes(typed),
  "docs/openapi.json": printOpenApi({ procedures, named }),
  "docs/procedures.md": printMarkdown({ procedures, named }),
};

const stale: string[] = [];
for (const [path, text] of Object.entries(files)) {
  const file = join(root, path);
  if (existsSync(file) && readFileSync(file, "utf8") === text) continue;
  stale.push(path);
  if (!process.argv.includes("--check")) writeFileSync(file, text);
}
if (process.argv.includes("--check") && stale.length > 0) {
  console.error(
    `${stale.join(" and ")} do not match the router: run \`npm run reference\` and look at the difference.`,
  );
  process.exitCode = 1;
}
