import type { Node, SourceFile } from "typescript/unstable/ast";
import {
  isBindingElement,
  isIdentifier,
  isObjectLiteralExpression,
  isPropertyAssignment,
  isPropertyName,
  isShorthandPropertyAssignment,
  isStringLiteral,
} from "typescript/unstable/ast/is";
import type { Checker, Diagnostic } from "typescript/unstable/sync";
import { renamed } from "./mutate";
import { type Workspace, wordsOf } from "./workspace";

const MAX_ROUNDS = 6;
const MAX_LOOKS = 3;

/**
 * Renames every use of the old name that the compiler complains about, until it complains no more or nothing helps. Returns the
 * files with such uses. What is left of the old name in them, no complaint has led to.
 */
export function repair(workspace: Workspace, name: string): Set<string> {
  const touched = new Set<string>();
  /** Lines where the new name was wrong: the old one there is another thing's. */
  const settled = new Set<string>();
  /** Checking only what was touched is much faster; what that leads to elsewhere, the next look at all shows. */
  for (let look = 0; look < MAX_LOOKS; look += 1) {
    let isRepaired = repairOnce({ workspace, diagnostics: workspace.diagnostics(), name, settled, touched });
    if (!isRepaired) break;
    for (let round = 0; isRepaired && round < MAX_ROUNDS; round += 1)
      isRepaired = repairOnce({ workspace, diagnostics: workspace.diagnostics(touched), name, settled, touched });
  }
  return touched;
}

function repairOnce({
  workspace,
  diagnostics,
  name,
  settled,
  touched,
}: {
  workspace: Workspace;
  diagnostics: readonly Diagnostic[];
  name: string;
  settled: Set<string>;
  touched: Set<string>;
}): boolean {
  const edits = new Map<string, Edit[]>();
  const { program, checker } = workspace.project();
  for (const diagnostic of diagnostics) {
    const { fileName } = diagnostic;
    const source = fileName && program.getSourceFile(fileName);
    if (!source) continue;
    touched.add(fileName);
    edits.set(fileName, [...(edits.get(fileName) ?? []), ...editsFor({ diagnostic, source, name, settled, checker })]);
  }
  const changed = new Map<string, string>();
  for (const [file, ofFile] of edits) {
    if (ofFile.length > 0) changed.set(file, apply(workspace.read(file), ofFile));
  }
  if (changed.size > 0) workspace.change(changed);
  return changed.size > 0;
}

interface Edit {
  start: number;
  end: number;
  text: string;
}

function editsFor({
  diagnostic,
  source,
  name,
  settled,
  checker,
}: {
  diagnostic: Diagnostic;
  source: SourceFile;
  name: string;
  settled: Set<string>;
  checker: Checker;
}): Edit[] {
  const { pos, end } = diagnostic;
  const lineOf = (at: number) => `${source.fileName}:${source.text.slice(0, at).split("\n").length}`;
  const within = nodesIn(source, { pos, end }, source);
  const reverted = within.filter(
    (node) => nameOf(node) === renamed(name) && node.getStart(source) >= pos && node.end <= end,
  );
  const exact = reverted.filter((node) => node.getStart(source) === pos || node.getStart(source) + 1 === pos);
  if (exact.length > 0) {
    settled.add(lineOf(pos));
    return exact.map((node) => edit(node, source, name));
  }
  const isOpen = (node: Node) => nameOf(node) === name && !settled.has(lineOf(node.getStart(source)));
  const here = within.filter(isOpen);
  // An object that lacks the new name, or has the old one too much, may have been made elsewhere in the file.
  const meant =
    here.length > 0 || !wordsOf(diagnostic).includes(name) ? here : ownKeys(source, name, checker).filter(isOpen);
  return meant.map((node) => edit(node, source, renamed(name)));
}

/** Keys of that name in objects of no declared type that has it. */
function ownKeys(source: SourceFile, name: string, checker: Checker): Node[] {
  return nodesIn(source, { pos: 0, end: source.end }, source).filter((node) => {
    const { parent } = node;
    if (nameOf(node) !== name || !isKey(node) || !isObjectLiteralExpression(parent.parent)) return false;
    const wanted = checker.getContextualType(parent.parent);
    return !wanted || !checker.getPropertyOfType(wanted, name);
  });
}

/** The named nodes that a complaint is about: the one at its place, else all names and words inside it. */
function nodesIn(node: Node, { pos, end }: { pos: number; end: number }, source: SourceFile): Node[] {
  const found: Node[] = [];
  const visit = (at: Node): void => {
    if (at.end <= pos || at.getStart(source) >= end) return;
    if ((isPropertyName(at) || isStringLiteral(at)) && at.getStart(source) >= pos && at.end <= end) found.push(at);
    at.forEachChild((child) => void visit(child));
  };
  visit(node);
  return found;
}

function nameOf(node: Node): string | null {
  return isIdentifier(node) || isStringLiteral(node) ? node.text : null;
}

/** The node by another name; a shorthand is written out. */
export function edit(node: Node, source: SourceFile, to: string): Edit {
  const start = node.getStart(source);
  if (isStringLiteral(node)) return { start: start + 1, end: node.end - 1, text: to };
  const { parent } = node;
  const before = source.text.slice(start, node.end);
  const isShort =
    isShorthandPropertyAssignment(parent) ||
    (isBindingElement(parent) && parent.name === node && !parent.propertyName && !parent.dotDotDotToken);
  return { start, end: node.end, text: isShort ? `${to}: ${before}` : to };
}

export function apply(text: string, edits: Edit[]): string {
  const ordered = [...new Map(edits.map((one) => [one.start, one])).values()].sort(
    (one, other) => other.start - one.start,
  );
  return ordered.reduce((at, { start, end, text: by }) => at.slice(0, start) + by + at.slice(end), text);
}

function isKey(node: Node): boolean {
  const { parent } = node;
  return (isPropertyAssignment(parent) || isShorthandPropertyAssignment(parent)) && parent.name === node;
}
