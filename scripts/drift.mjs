// The migrations in drizzle/ make exactly the schema of db/schema. `node scripts/drift.mjs`
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { join, relative } from "node:path";
import { capture, fail, ROOT } from "./shell.mjs";
import { filesBelow } from "./stamp.mjs";

const KIT = "node_modules/drizzle-kit/bin.cjs";

if (!existsSync(join(ROOT, "drizzle", "meta", "_journal.json")))
  fail("There is no migration: run `npm run db:generate`.");
const checked = await capture(process.execPath, [KIT, "check"]);
if (checked.code !== 0) fail(checked.output);

mkdirSync(join(ROOT, "node_modules", ".cache"), { recursive: true });
const copy = mkdtempSync(join(ROOT, "node_modules", ".cache", "drift-"));
try {
  cpSync(join(ROOT, "drizzle"), copy, { recursive: true });
  const before = filesBelow(copy).length;
  const generated = await capture(process.execPath, [
    ...[KIT, "generate", "--dialect", "postgresql", "--casing", "snake_case"],
    ...["--schema", "./db/schema/index.ts", "--out", relative(ROOT, copy)],
  ]);
  const isNew = filesBelow(copy).length !== before;
  if (generated.code !== 0 || isNew || !/No schema changes/.test(generated.output)) {
    console.error(generated.output);
    console.error("db/schema and drizzle/ differ: run `npm run db:generate` and review the new migration.");
    process.exitCode = 1;
  }
} finally {
  rmSync(copy, { recursive: true, force: true });
}
