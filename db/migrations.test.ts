import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

const FILES = readdirSync("drizzle")
  .filter((file) => file.endsWith(".sql"))
  .map((file) => ({ file, text: readFileSync(join("drizzle", file), "utf8") }));
const STATEMENTS = FILES.flatMap(({ file, text }) =>
  text.split("--> statement-breakpoint").map((statement) => ({ file, statement: statement.trim() })),
);

/** What the version before may rely on, and would no longer find or be allowed. */
const CONTRACTIONS: readonly (readonly [what: string, pattern: RegExp])[] = [
  ["drops a table, a column or a type", /\bdrop\s+(table|column|type|schema|sequence|view|function)\b/i],
  ["drops a constraint, on which an upsert may rely", /\bdrop\s+constraint\b/i],
  ["renames", /\brename\s+(to|column|value|constraint)\b/i],
  ["changes the type of a column", /\balter\s+column\b[\s\S]*\btype\b/i],
  ["drops a default, on which an insert may rely", /\balter\s+column\b[\s\S]*\bdrop\s+default\b/i],
  ["refuses null where it was allowed", /\bset\s+not\s+null\b/i],
  [
    "adds a column that each insert has to fill",
    /\badd\s+column\b(?![\s\S]*\b(default|generated)\b)[\s\S]*\bnot\s+null\b/i,
  ],
];

/** Before the first version that was released; none is to be added without a line `-- needs: VERSION` in its file. */
const ALLOWED = [
  '0003_mail_without_data.sql drops a table, a column or a type: ALTER TABLE "mail_jobs" DROP COLUMN "data";',
  '0004_ranks_and_history.sql refuses null where it was allowed: ALTER TABLE "tasks" ALTER COLUMN "rank" SET NOT NULL;',
];

test("migrations only add, so that the version before runs on the new schema", () => {
  expect(STATEMENTS.flatMap(contractionsIn).filter((found) => !needsOf(found))).toEqual(ALLOWED);
});

test.each([
  ['ALTER TABLE "a" DROP COLUMN "b";', 1],
  ['ALTER TABLE "a" RENAME COLUMN "b" TO "c";', 1],
  ['ALTER TABLE "a" RENAME TO "c";', 1],
  ['ALTER TABLE "a" ALTER COLUMN "b" SET DATA TYPE text;', 1],
  ['ALTER TABLE "a" ALTER COLUMN "b" SET NOT NULL;', 1],
  ['ALTER TABLE "a" ADD COLUMN "b" text NOT NULL;', 1],
  ['DROP TABLE "a" CASCADE;', 1],
  ['ALTER TABLE "a" ADD COLUMN "b" text DEFAULT \'\' NOT NULL;', 0],
  ['ALTER TABLE "a" ADD COLUMN "b" text;', 0],
  ['CREATE TABLE "a" ("b" text NOT NULL);', 0],
  ['DROP INDEX "a_idx";', 0],
])("%s takes something away: %i", (statement, count) => {
  expect(contractionsIn({ file: "x.sql", statement })).toHaveLength(count);
});

test("unique indexes that an upsert may rely on stay", () => {
  const unique = new Set(
    STATEMENTS.flatMap(({ statement }) => /^create unique index "(\w+)"/i.exec(statement)?.[1] ?? []),
  );
  const dropped = STATEMENTS.flatMap(({ statement }) => /^drop index "(\w+)"/i.exec(statement)?.[1] ?? []);
  expect(dropped.filter((name) => unique.has(name))).toEqual([]);
});

/** What is dropped goes one version later: the version that runs without it has been released. */
test("a migration that takes something away needs a version that has been released", () => {
  const released = [...readFileSync("CHANGELOG.md", "utf8").matchAll(/^## (\d+\.\d+\.\d+) - /gm)].map(
    ([, version]) => version,
  );
  for (const { file } of FILES) {
    const needs = needsOf(file);
    if (needs) expect(released, file).toContain(needs);
  }
});

/*
 * Migrations run while servers of the version before are at work. A statement that they have prepared over a column whose type
 * changes is outdated, and the driver (postgres.js 3.4.9), which then prepares it again among others under way on the same
 * connection, was seen to hang for ever and to mix up answers. New columns do no such thing.
 */
test("no migration changes the type of a column: it adds another and leaves the old one", () => {
  const changes = STATEMENTS.filter(({ statement }) => /alter\s+column[\s\S]*\btype\b/i.test(statement));
  expect(changes).toEqual([]);
});

function contractionsIn({ file, statement }: { file: string; statement: string }): string[] {
  return CONTRACTIONS.filter(([, pattern]) => pattern.test(statement)).map(([what]) => `${file} ${what}: ${statement}`);
}

/** The version in the first line of a migration's file, `-- needs: 1.3.0`. */
function needsOf(fileOrFinding: string): string | undefined {
  const found = FILES.find(({ file }) => fileOrFinding.startsWith(file));
  return /^-- needs: (\d+\.\d+\.\d+)\n/.exec(found?.text ?? "")?.[1];
}
