// Types of docs/openapi.json, as somebody else's project generates them. `node scripts/openapi-types.mjs FILE.ts`
import { writeFileSync } from "node:fs";
import { register } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { ROOT } from "./shell.mjs";

// openapi-typescript needs the programming interface that the compiler had before version 7.
const hook =
  "export const resolve = (name, context, next) => next(name === 'typescript' ? 'typescript-5' : name, context);";
register(`data:text/javascript,${encodeURIComponent(hook)}`);
const { default: readOpenApi, astToString } = await import("openapi-typescript");

writeFileSync(process.argv[2], astToString(await readOpenApi(pathToFileURL(join(ROOT, "docs", "openapi.json")))));
