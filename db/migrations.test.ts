import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

/*
 * Migrations run while servers of the version before are at work. A statement that they have prepared over a column whose type
 * changes is outdated, and the driver (postgres.js 3.4.9), which then prepares it again among others under way on the same
 * connection, was seen to hang for ever and to mix up answers. New columns do no such thing.
 */
test("no migration changes the type of a column: it adds another and leaves the old one", () => {
  const changes = readdirSync("drizzle")
    .filter((file) => file.endsWith(".sql"))
    .flatMap((file) =>
      readFileSync(join("drizzle", file), "utf8")
        .split("--> statement-breakpoint")
        .filter((statement) => /alter\s+column[\s\S]*\btype\b/i.test(statement))
        .map((statement) => `${file}: ${statement.trim()}`),
    );
  expect(changes).toEqual([]);
});
