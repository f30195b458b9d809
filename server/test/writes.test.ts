import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type ESTree, parseSync } from "vite";
import { expect, test } from "vitest";
import * as clientEnums from "../../db/client-enums";
import * as enums from "../../db/enums";
import * as eventKinds from "../../db/event-kinds";

/* What the compiler cannot see, so that a renamed column or enum value would go unnoticed. */

const WORDS = new Set(
  Object.values({ ...enums, ...clientEnums, ...eventKinds }).flatMap((words) => (Array.isArray(words) ? words : [])),
);

const SOURCES = sources();

/** A field that is read, or the first one of an object that is made. */
const JSON_FIELD = /(->>?|jsonb?_build_object\()\s*'\w+'/g;

test("words of an enum are never typed into SQL text", () => {
  const found = SOURCES.flatMap(({ file, text, nodes }) =>
    nodes.flatMap((node) => {
      if (node.type !== "TaggedTemplateExpression" || !text.slice(node.tag.start, node.tag.end).startsWith("sql"))
        return [];
      const words = node.quasi.quasis.flatMap(({ value }) => [...value.raw.matchAll(/'([^']+)'/g)]);
      return words
        .filter(([, word]) => WORDS.has(word))
        .map(([quotedWord]) => placeOf({ file, text, node }, quotedWord));
    }),
  );
  expect(found, "Use `holds` or `quoted` of db/expressions.").toEqual([]);
});

test("names of fields of JSON are never typed into SQL text", () => {
  // The table of migrations is the migrator's: nothing here declares its columns.
  const found = SOURCES.filter(({ file }) => file !== "db/migrate.ts").flatMap(({ file, text, nodes }) =>
    nodes.flatMap((node) => {
      if (node.type !== "TaggedTemplateExpression" || !text.slice(node.tag.start, node.tag.end).startsWith("sql"))
        return [];
      const written = node.quasi.quasis.flatMap(({ value }) => [...value.raw.matchAll(JSON_FIELD)]);
      return written.map(([field]) => placeOf({ file, text, node }, field));
    }),
  );
  expect(found, "Use `jsonObject` or `fieldName` of db/expressions.").toEqual([]);
});

test("an object that a schema reads is checked against the schema's fields", () => {
  const found = sources(["server", "src"], /[pP]arse\(/).flatMap(({ file, text, nodes }) =>
    nodes.flatMap((node) => {
      if (node.type !== "CallExpression" || !["parse", "safeParse"].some((method) => isCallOf(node, method))) return [];
      const isLiteral = node.arguments.at(-1)?.type === "ObjectExpression";
      return isLiteral ? [placeOf({ file, text, node }, "object")] : [];
    }),
  );
  expect(found, "Write `satisfies` with the type of the schema's input: a schema takes anything.").toEqual([]);
});

test("rows are written as literals, or checked against their table's columns", () => {
  const found = SOURCES.flatMap(({ file, text, nodes }) =>
    nodes.flatMap((node) => {
      if (node.type !== "CallExpression" || !isWrite(node, text)) return [];
      const [row] = node.arguments;
      return row && isChecked(row) ? [] : [placeOf({ file, text, node: row ?? node }, "row")];
    }),
  );
  expect(found, "Use `columnsOf` or `rowsOf` of db/writes.").toEqual([]);
});

test("rows that a statement selects for an insert are checked against their table's columns", () => {
  const found = SOURCES.flatMap(({ file, text, nodes }) =>
    nodes.flatMap((node) => {
      if (node.type !== "CallExpression" || !isInsertOfSelected(node, text)) return [];
      const [query] = node.arguments;
      const selected = nodesOf(query).find((below) => below.type === "CallExpression" && isCallOf(below, "select"));
      const row = selected?.type === "CallExpression" ? selected.arguments[0] : undefined;
      return row?.type === "CallExpression" && isChecked(row) ? [] : [placeOf({ file, text, node }, "insert")];
    }),
  );
  expect(found, "Use `columnsOf` of db/writes in the inner `select`.").toEqual([]);
});

function isInsertOfSelected(node: ESTree.CallExpression, text: string): boolean {
  if (!isCallOf(node, "select") || node.callee.type !== "MemberExpression") return false;
  return /\.insert\(\s*\w+\s*\)$/.test(text.slice(node.callee.object.start, node.callee.object.end).trimEnd());
}

function isCallOf({ callee }: ESTree.CallExpression, method: string): boolean {
  return callee.type === "MemberExpression" && callee.property.type === "Identifier" && callee.property.name === method;
}

/** `.set(…)` and `.values(…)` of an update or an insert. */
function isWrite({ callee }: ESTree.CallExpression, text: string): boolean {
  if (callee.type !== "MemberExpression" || callee.property.type !== "Identifier") return false;
  const before = text.slice(callee.object.start, callee.object.end);
  const call = { set: "update", values: "insert" }[callee.property.name];
  return call !== undefined && new RegExp(`\\.${call}\\(\\s*\\w+\\s*\\)$`).test(before);
}

function isChecked(row: ESTree.Node): boolean {
  if (row.type === "ConditionalExpression") return isChecked(row.consequent) && isChecked(row.alternate);
  if (row.type === "CallExpression")
    return row.callee.type === "Identifier" && ["columnsOf", "rowsOf"].includes(row.callee.name);
  return row.type === "ObjectExpression" && row.properties.every(({ type }) => type === "Property");
}

function sources(folders = ["server", "db"], mentioning = /./) {
  return folders
    .flatMap((folder) => readdirSync(folder, { recursive: true, encoding: "utf8" }).map((file) => join(folder, file)))
    .filter((file) => /\.tsx?$/.test(file) && !/\.test\.tsx?$|^server\/test\//.test(file))
    .map((file) => ({ file, text: readFileSync(file, "utf8") }))
    .filter(({ text }) => mentioning.test(text))
    .map(({ file, text }) => ({ file, text, nodes: nodesOf(parseSync(file, text).program) }));
}

function nodesOf(value: unknown): ESTree.Node[] {
  if (Array.isArray(value)) return value.flatMap(nodesOf);
  if (typeof value !== "object" || value === null) return [];
  const below = Object.entries(value).flatMap(([key, child]) => (key === "parent" ? [] : nodesOf(child)));
  return "type" in value && typeof value.type === "string" ? [value as ESTree.Node, ...below] : below;
}

function placeOf({ file, text, node }: { file: string; text: string; node: ESTree.Node }, what: string): string {
  return `${file}:${text.slice(0, node.start).split("\n").length} ${what}`;
}
