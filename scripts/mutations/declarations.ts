import type { Node, SourceFile } from "typescript/unstable/ast";
import {
  isArrayLiteralExpression,
  isAsExpression,
  isCallExpression,
  isIdentifier,
  isInterfaceDeclaration,
  isObjectLiteralExpression,
  isPropertyAccessExpression,
  isPropertyAssignment,
  isPropertySignatureDeclaration,
  isStringLiteral,
  isVariableDeclaration,
} from "typescript/unstable/ast/is";
import type { Workspace } from "./workspace";

type DeclarationKind = "column" | "input" | "output" | "procedure" | "enum value";

/** Something with a name that the whole product shares. */
export interface Declaration {
  kind: DeclarationKind;
  /** The table, schema, view, router or enum that it belongs to. */
  owner: string;
  name: string;
  file: string;
  /** Where its name stands, quotes excluded. */
  start: number;
  /** The text of all of it, as in `title: text().notNull()`. */
  whole: { start: number; end: number };
  /** The text of what it holds; null for an enum value. */
  value: { start: number; end: number } | null;
}

/** All columns, inputs, outputs, procedures and enum values, in the order of the files. */
export function readDeclarations(workspace: Workspace, root: string): Declaration[] {
  const { program } = workspace.project();
  return workspace.files().flatMap((file) => {
    const read = readerOf(file.slice(root.length + 1));
    const source = read && program.getSourceFile(file);
    return read && source ? walk(source, source, (node) => read(node, source)) : [];
  });
}

type Reader = (node: Node, source: SourceFile) => Declaration[];

function readerOf(path: string): Reader | null {
  if (/^db\/schema\/\w+\.ts$/.test(path)) return keysOfCalls("column", (callee) => callee === "pgTable", 1);
  if (path === "db/enums.ts" || path === "db/event-kinds.ts") return readEnum;
  if (/^server\/contract\/views\/\w+\.ts$/.test(path)) return readView;
  if (/^server\/contract\/[\w-]+\.ts$/.test(path) && !path.includes(".test."))
    return keysOfCalls("input", (callee) => callee === "z.strictObject", 0);
  if (/^server\/\w+\/router\.ts$/.test(path)) return keysOfCalls("procedure", (callee) => callee === "router", 0);
  return null;
}

function keysOfCalls(kind: DeclarationKind, isOurs: (callee: string) => boolean, argument: number): Reader {
  return (node, source) => {
    if (!isCallExpression(node) || !isOurs(node.expression.getText(source))) return [];
    const shape = node.arguments[argument];
    if (!shape || !isObjectLiteralExpression(shape)) return [];
    const owner = ownerOf(node, source);
    return shape.properties.flatMap((property) =>
      isPropertyAssignment(property) && isIdentifier(property.name)
        ? [named({ kind, owner, name: property.name, whole: property, value: property.initializer, source })]
        : [],
    );
  };
}

function readView(node: Node, source: SourceFile): Declaration[] {
  if (!isInterfaceDeclaration(node)) return [];
  return node.members.flatMap((member) =>
    isPropertySignatureDeclaration(member) && isIdentifier(member.name) && member.type
      ? [named({ kind: "output", owner: node.name.text, name: member.name, whole: member, value: member.type, source })]
      : [],
  );
}

function readEnum(node: Node, source: SourceFile): Declaration[] {
  if (!isVariableDeclaration(node) || !node.initializer || !isAsExpression(node.initializer)) return [];
  const list = node.initializer.expression;
  if (!isArrayLiteralExpression(list)) return [];
  return list.elements.flatMap((word) =>
    isStringLiteral(word)
      ? [
          {
            kind: "enum value" as const,
            owner: node.name.getText(source),
            name: word.text,
            file: source.fileName,
            start: word.getStart(source) + 1,
            whole: { start: word.getStart(source), end: word.end },
            value: null,
          },
        ]
      : [],
  );
}

function named({
  kind,
  owner,
  name,
  whole,
  value,
  source,
}: {
  kind: DeclarationKind;
  owner: string;
  name: Node;
  whole: Node;
  value: Node;
  source: SourceFile;
}): Declaration {
  return {
    kind,
    owner,
    name: name.getText(source),
    file: source.fileName,
    start: name.getStart(source),
    whole: { start: whole.getStart(source), end: whole.end },
    value: { start: value.getStart(source), end: value.end },
  };
}

/** The constant that a call's value goes to, the table's name for a table. */
function ownerOf(node: Node, source: SourceFile): string {
  for (let at: Node | undefined = node; at; at = at.parent) {
    if (isVariableDeclaration(at)) return at.name.getText(source);
    if (isPropertyAccessExpression(at) && at.parent === undefined) break;
  }
  return source.fileName.replace(/^.*\/(\w+)\/(\w+)\.ts$/, "$1/$2");
}

function walk(node: Node, source: SourceFile, read: (node: Node) => Declaration[]): Declaration[] {
  const found = read(node);
  node.forEachChild((child) => void found.push(...walk(child, source, read)));
  return found;
}
