import { isIdentifier, isNewExpression, isStringLiteral, type Node } from "typescript/unstable/ast";
import { type Checker, type NodeHandle, SymbolFlags, type Symbol as TypeSymbol } from "typescript/unstable/sync";

/** A refusal that the code of a procedure may throw: its code, and where its sentence is (`projects.notFound`). */
export interface Refusal {
  code: string;
  /** Null when the sentence is made at run time. */
  sentence: string | null;
}

interface Findings {
  own: Refusal[];
  uses: NodeHandle[];
}

/**
 * What procedures may refuse with: every `new DomainError` and `new ValidationError` in them and in the server's functions that
 * they name, however deep. What is behind an interface, such as the auth library, is not seen.
 */
export function createErrorReader(checker: Checker) {
  const known = new Map<string, Findings>();

  function look(handle: NodeHandle): Findings {
    const root = handle.resolve();
    const own: Refusal[] = [];
    const names: Node[] = [];
    const visit = (node: Node): void => {
      if (isNewExpression(node)) own.push(...refusalsOf(node.expression.getText(), [...(node.arguments ?? [])]));
      if (isIdentifier(node)) names.push(node);
      node.forEachChild(visit);
    };
    if (root) visit(root);
    const symbols = names.length > 0 ? checker.getSymbolAtLocation(names) : [];
    const uses = symbols.flatMap((symbol) => (symbol && root ? codeOf(symbol, { handle, root }) : []));
    return { own, uses };
  }

  /** Where the code behind a name is, if it is the server's and is not part of what is being looked at. */
  function codeOf(symbol: TypeSymbol, here: { handle: NodeHandle; root: Node }): NodeHandle[] {
    const target = symbol.flags & SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
    const found = target.valueDeclaration;
    if (!found || !(target.flags & (SymbolFlags.Function | SymbolFlags.Variable))) return [];
    if (!/\/server\/(?!contract\/)/.test(found.path) || found.path.includes("/node_modules/")) return [];
    const node = found.path === here.handle.path ? found.resolve() : undefined;
    const isInside = node && node.pos >= here.root.pos && node.end <= here.root.end;
    return isInside ? [] : [found];
  }

  return {
    /** By code, then by sentence. */
    read(procedure: TypeSymbol): Refusal[] {
      const found = new Map<string, Refusal>();
      const seen = new Set<string>();
      const open = [...procedure.declarations];
      for (let handle = open.pop(); handle; handle = open.pop()) {
        const key = `${handle.path}:${handle.index}`;
        if (seen.has(key)) continue;
        seen.add(key);
        const findings = known.get(key) ?? look(handle);
        known.set(key, findings);
        for (const refusal of findings.own) found.set(`${refusal.code} ${refusal.sentence}`, refusal);
        open.push(...findings.uses);
      }
      return [...found].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, refusal]) => refusal);
    },
  };
}

function refusalsOf(made: string, [code, sentence]: Node[]): Refusal[] {
  if (made === "ValidationError") return [{ code: "BAD_REQUEST", sentence: null }];
  if (made !== "DomainError" || !code || !isStringLiteral(code)) return [];
  const named = sentence?.getText().match(/MESSAGES(\.\w+)+/g) ?? [];
  if (named.length === 0) return [{ code: code.text, sentence: null }];
  return named.map((name) => ({ code: code.text, sentence: name.slice("MESSAGES.".length) }));
}
