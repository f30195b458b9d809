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

/** Names that are right all the same. */
const ALLOWED = new Set(["maskedWords"]);

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

/** The words among them that have no everyday sense in this code, in any form. */
const ONLY_PRIVATE =
  /\b(knock(s|ed|ing)?|mailbox(es)?|ladders?|rungs?|farewells?|doors?|h[au]ng(s|ing)? up|redial\w*|deeds?|doomed|impatient)\b/gi;

test("comments and titles of tests use the field's standard terms", () => {
  const prose = FILES.flatMap((file) => proseIn(readFileSync(file, "utf8")).map((text) => ({ file, text })));
  expect(prose.length).toBeGreaterThan(5_000);
  expect(
    prose.flatMap(({ file, text }) => [...text.matchAll(ONLY_PRIVATE)].map(([word]) => `${file}: ${word}: ${text}`)),
  ).toEqual([]);
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

/** What a text never says: docs/glossary.md has the word that it does. */
const NOT_SAID: [RegExp, string][] = [
  [/\be-mails?\b|\bmail(s|ed)?\b(?! server)/i, "email"],
  [/\b(please|to) sign in\b(?! with Google)|\bsigned (in|out)\b/i, "log in, logged in"],
  [/\bdeadlines?\b/i, "due date"],
  [/\btickets?\b/i, "task"],
  [/\bcustomers?\b(?! support)/i, "client"],
  [/\bemployees?\b|\bfirm people\b/i, "user, or staff"],
  [/\bworkspaces?\b|\btenants?\b/i, "organisation"],
  [/\bnicknames?\b/i, "display name"],
  [/\bchats?\b/i, "conversation"],
  [/\bsomebody\b/i, "someone"],
  [/\bany more\b/i, "no longer"],
  [/\b(is|are) to be \w+/i, "needs to be"],
  [/\bonly who\b/i, "only the person who"],
  [/\bof that name\b/i, "with that name"],
  [/\b(is|are|was|were) (a |an )?\w+ already\b/i, '"is already a …"'],
];

test("texts on screens, in emails and on public pages use the glossary's words", () => {
  const files = FILES.filter((file) => /^src\/.*\.tsx?$|^server\/(contract\/|\w+\/.*mails?\.ts$)/.test(file));
  const found = files
    .filter((file) => !/\.test(-d)?\.tsx?$/.test(file))
    .flatMap((file) => textsIn(readFileSync(file, "utf8")).map((text) => ({ file, text })));
  expect(found.length).toBeGreaterThan(1_000);
  const wrong = found.flatMap(({ file, text }) =>
    NOT_SAID.filter(([word]) => word.test(text)).map(([, remedy]) => `${file}: "${text}": write ${remedy}`),
  );
  expect(wrong).toEqual([]);
});

/** Strings that hold a sentence or begin one, and the text between tags. */
function textsIn(source: string): string[] {
  const code = source.replace(/\/\*[\s\S]*?\*\//g, "").replace(/(^|\s)\/\/.*$/gm, "$1");
  const strings = [...code.matchAll(/"((?:[^"\\\n]|\\.)*)"|`((?:[^`\\]|\\.)*)`/g)].map(([, a, b]) => a ?? b ?? "");
  const between = [...code.matchAll(/>\s*([^<>{}"`;=]*[a-z][^<>{}"`;=]*?)\s*[<{]/g)].map(([, text = ""]) => text);
  return [...strings, ...between].filter(
    (text) => /^[A-Z][a-z]|[a-z] [a-z]/.test(text) && !/[[\]:]|\w-\w+ \w+-\w/.test(text),
  );
}

/** Comments, and what tests and their steps are called. */
function proseIn(source: string): string[] {
  const comments = source.match(/\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/.*$/gm) ?? [];
  const titles = [...source.matchAll(/\b(?:test|describe|step|each\([^"`]*\))\(\s*["`]([^"`]*)/g)].map(
    ([, title = ""]) => title,
  );
  return [...comments, ...titles];
}

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
  if (ALLOWED.has(name)) return [];
  const words = name
    .replace(/([a-z0-9])([A-Z])/g, "$1 $2")
    .replace(/([A-Z])([A-Z][a-z])/g, "$1 $2")
    .replace(/[_.-]/g, " ")
    .toLowerCase();
  return Object.entries(REMEDIES)
    .filter(([word]) => (word.startsWith("* ") ? words.endsWith(word.slice(1)) : ` ${words} `.includes(` ${word} `)))
    .map(([word, remedy]) => `"${word}": write ${remedy}`);
}
