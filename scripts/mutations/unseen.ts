import type { Expression, Node, ObjectLiteralExpression, SourceFile } from "typescript/unstable/ast";
import {
  isArrowFunction,
  isAsExpression,
  isBinaryExpression,
  isCallExpression,
  isCaseClause,
  isConditionalExpression,
  isExpression,
  isIdentifier,
  isImportDeclaration,
  isJsxAttribute,
  isLiteralTypeNode,
  isObjectLiteralExpression,
  isParenthesizedExpression,
  isPropertyAssignment,
  isReturnStatement,
  isSatisfiesExpression,
  isShorthandPropertyAssignment,
  isStringLiteral,
  isTaggedTemplateExpression,
  isTemplateSpan,
  isVariableDeclaration,
} from "typescript/unstable/ast/is";
import { type Checker, type Type, TypeFlags } from "typescript/unstable/sync";
import type { Declaration } from "./declarations";
import { apply, edit } from "./repair";
import { type Workspace, wordsOf } from "./workspace";

/** Generated files are written anew. */
const GENERATED = /\.gen\.ts$/;

/** A place that still has the old name after every complaint was met, and where the compiler would take any other name, too. */
export interface Unseen {
  file: string;
  line: number;
  text: string;
}

/**
 * Words in SQL text, strings of no narrower type than `string`, and keys of objects that nothing reads by that name. Of these
 * only the ones for which the compiler takes yet another name without a further or another complaint.
 */
export function findUnseen(workspace: Workspace, { name, kind }: Declaration, files: ReadonlySet<string>): Unseen[] {
  const { program, checker } = workspace.project();
  const found = [...files].flatMap((file) => {
    const source = program.getSourceFile(file);
    if (!source || GENERATED.test(file)) return [];
    const nodes: Node[] = [];
    const visit = (node: Node): void => {
      if (isImportDeclaration(node) || isLiteralTypeNode(node) || isJsxAttribute(node)) return;
      if (isUnseen({ node, source, checker, name, kind })) nodes.push(node);
      node.forEachChild((child) => void visit(child));
    };
    visit(source);
    return nodes.map((node) => {
      const named = isPropertyAssignment(node) || isShorthandPropertyAssignment(node) ? node.name : node;
      const other = isTaggedTemplateExpression(node) ? null : edit(named, source, `${name}Unseen`);
      return { ...placeOf(node, source), other };
    });
  });
  const before = complaintsOf(workspace, files);
  return found.filter(({ file, other }) => {
    if (other === null) return true;
    const text = workspace.read(file);
    workspace.change(new Map([[file, apply(text, [other])]]));
    const after = complaintsOf(workspace, files);
    workspace.change(new Map([[file, text]]));
    return after === before;
  });
}

function complaintsOf(workspace: Workspace, files: ReadonlySet<string>): string {
  return workspace
    .diagnostics(files)
    .map((diagnostic) => `${diagnostic.fileName} ${diagnostic.code} ${wordsOf(diagnostic)}`)
    .sort()
    .join("\n");
}

function isUnseen({
  node,
  source,
  checker,
  name,
  kind,
}: {
  node: Node;
  source: SourceFile;
  checker: Checker;
  name: string;
  kind: Declaration["kind"];
}): boolean {
  if (isTaggedTemplateExpression(node) && node.tag.getText(source).startsWith("sql"))
    return sqlWord(name, kind).test(node.template.getText(source));
  if (isStringLiteral(node)) return node.text === name && !isTypedWord(node, checker);
  const isOldKey =
    (isPropertyAssignment(node) || isShorthandPropertyAssignment(node)) &&
    isIdentifier(node.name) &&
    node.name.text === name;
  return isOldKey && isObjectLiteralExpression(node.parent) && !isReadKey(node.name, node.parent, checker);
}

/** How the thing stands in SQL text: a word of an enum in quotes, a column by its name in the database. */
function sqlWord(name: string, kind: Declaration["kind"]): RegExp {
  if (kind === "enum value") return new RegExp(`'${name}'`);
  if (kind !== "column") return /$^/;
  const column = name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  return column.includes("_") ? new RegExp(`\\b${column}\\b`) : /$^/;
}

function isTypedWord(node: Expression, checker: Checker): boolean {
  const { parent } = node;
  if (isAsExpression(parent) || isAsExpression(parent.parent) || isSatisfiesExpression(parent)) return true;
  if (isPropertyAssignment(parent) && parent.name === node) return true;
  // A literal of a schema, an enum's own type in the database, or what a statement calls a value of its own.
  if (isCallExpression(parent) && /^z\.|^pgEnum$|\.as$/.test(parent.expression.getText())) return true;
  if (isCaseClause(parent)) return isNarrow(checker.getTypeAtLocation(switchedOn(parent)), checker);
  if (isBinaryExpression(parent) && COMPARISONS.test(parent.operatorToken.getText())) {
    const other = parent.left === node ? parent.right : parent.left;
    const type = checker.getTypeAtLocation(other);
    return parent.operatorToken.getText() === "in"
      ? isObjectOf(type, node.getText().slice(1, -1), checker)
      : isNarrow(type, checker);
  }
  const wanted = checker.getContextualType(node);
  return wanted ? isNarrow(wanted, checker) : isInferred(node);
}

const COMPARISONS = /^([!=]==?|in)$/;

/** Whether the word itself becomes the type of what it is the value of: a constant, or what a function returns. */
function isInferred(node: Node): boolean {
  const { parent } = node;
  if (isConditionalExpression(parent) || isParenthesizedExpression(parent)) return isInferred(parent);
  // Part of a text for people.
  if (isTemplateSpan(parent)) return true;
  return isVariableDeclaration(parent) || isReturnStatement(parent) || isArrowFunction(parent);
}

function switchedOn(clause: Node): Node {
  const statement = clause.parent.parent;
  let subject: Node = statement;
  statement.forEachChild((child) => {
    if (isExpression(child)) subject = child;
  });
  return subject;
}

/** Whether the type lists words, so that another word would not compile. */
function isNarrow(type: Type | undefined, checker: Checker): boolean {
  if (!type) return false;
  if (type.isTypeParameter()) return isNarrow(checker.getBaseConstraintOfType(type), checker);
  if (type.isUnionType()) return (type.getTypes() ?? []).some((one) => isNarrow(one, checker));
  return type.isStringLiteralType() || type.isTemplateLiteralType() || (type.flags & TypeFlags.EnumLike) !== 0;
}

function isObjectOf(type: Type | undefined, name: string, checker: Checker): boolean {
  if (!type) return false;
  const parts = type.isUnionType() ? (type.getTypes() ?? []) : [type];
  return parts.some((part) => checker.getPropertyOfType(part, name) !== undefined);
}

/** Whether a key belongs to a declared type, or is read somewhere by its name. */
function isReadKey(key: Node, object: ObjectLiteralExpression, checker: Checker): boolean {
  const wanted = checker.getContextualType(object);
  const parts = wanted?.isUnionType() ? (wanted.getTypes() ?? []) : wanted ? [wanted] : [];
  if (
    parts.some((part) => checker.getPropertyOfType(part, key.getText()) || checker.getIndexInfosOfType(part).length > 0)
  )
    return true;
  const uses = checker.getReferencedSymbolsForNode(key, key.getStart());
  return uses.some(({ references }) => references.length > 1);
}

function placeOf(node: Node, source: SourceFile): Unseen {
  const start = node.getStart(source);
  const line = source.text.slice(0, start).split("\n").length;
  const text = (source.text.split("\n")[line - 1] ?? "").trim();
  return { file: source.fileName, line, text: text.length > 140 ? `${text.slice(0, 139)}…` : text };
}
