import { existsSync, readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { expect, test } from "vitest";

/* The words that names may use. Each rule says what to write instead; a failure prints name, file and remedy. */

const REMEDIES: Record<string, string> = {
  knock: "notify, notification",
  told: "emitted, notified or sent",
  tell: "emit, notify or send",
  tells: "emits, notifies or sends",
  telling: "notification",
  heard: "received",
  mailbox: "subscription",
  mailboxes: "subscriptions",
  ladder: "base procedures",
  rung: "base procedure",
  "follower procedure": "clientOrAdminProcedure",
  "read as": "an impersonated read, the effective actor",
  flight: "sync run",
  flights: "sync runs",
  landed: "finished",
  farewell: "goodbye",
  "cut off": "session revocation",
  "* words": "labels, text, or describe*",
  "status look": "statusMeta",
  door: "auth page",
  doors: "auth pages",
  "hang up": "disconnect",
  redial: "reconnect",
  deed: "action",
  deeds: "actions",
  doomed: "by what it is, such as taskToDelete",
  patience: "TIMEOUT_MS",
  impatient: "by what it does",
};

const FILES = ["src", "server", "db", "e2e", "bench", "scripts", "docs"]
  .flatMap((folder) => readdirSync(folder, { recursive: true, encoding: "utf8" }).map((path) => join(folder, path)))
  .filter((path) => /\.(tsx?|mjs)$/.test(path) && !/\.gen\.ts$/.test(path) && path !== "server/test/naming.test.ts");

test("names use the field's standard terms", () => {
  const found = FILES.flatMap((file) => {
    const names = new Set([basename(file).replace(/\.\w+$/, ""), ...namesIn(readFileSync(file, "utf8"))]);
    return [...names].flatMap((name) => problemsOf(name).map((problem) => `${file}: ${name}: ${problem}`));
  });
  expect(found).toEqual([]);
});

test("documents name files that exist", () => {
  const documents = ["README.md", "DECISIONS.md", ...readdirSync("docs").map((name) => join("docs", name))].filter(
    (path) => path.endsWith(".md"),
  );
  const named = documents.flatMap((document) =>
    [
      ...readFileSync(document, "utf8").matchAll(
        /`((?:src|server|db|e2e|bench|scripts|docs|patches|drizzle)\/[\w@./-]+)`/g,
      ),
    ]
      .map(([, path = ""]) => path)
      // The example of an entity to add.
      .filter((path) => !path.includes("invoices"))
      .map((path) => ({ document, path })),
  );
  expect(named.length).toBeGreaterThan(20);
  expect(named.filter(({ path }) => !existsSync(path))).toEqual([]);
});

/** Identifiers outside comments and texts. */
function namesIn(source: string): string[] {
  const code = source
    .replace(/\/\*[\s\S]*?\*\//g, "")
    .replace(/(^|\s)\/\/.*$/gm, "$1")
    .replace(/"(?:[^"\\\n]|\\.)*"/g, '""')
    .replace(/`(?:[^`\\]|\\.)*`/g, (text) => [...text.matchAll(/\$\{([^}]*)\}/g)].map(([, code]) => code).join(" "));
  return code.match(/[A-Za-z_$][\w$]*/g) ?? [];
}

function problemsOf(name: string): string[] {
  const words = name
    .replace(/([a-z0-9])([A-Z])/g, "$1 $2")
    .replace(/([A-Z])([A-Z][a-z])/g, "$1 $2")
    .replace(/[_.-]/g, " ")
    .toLowerCase();
  return Object.entries(REMEDIES)
    .filter(([word]) => (word.startsWith("* ") ? words.endsWith(word.slice(1)) : ` ${words} `.includes(` ${word} `)))
    .map(([word, remedy]) => `"${word}": write ${remedy}`);
}
