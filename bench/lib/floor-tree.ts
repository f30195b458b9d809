import { createElement, Fragment, type ReactNode } from "react";

/** An element, or a text. */
export type Tree = string | { tag: string; className: string; children: Tree[] };

/** The same elements by React, without a component of ours. */
export function drawTrees(trees: readonly Tree[]): ReactNode {
  return createElement(Fragment, null, ...trees.map(drawTree));
}

function drawTree(tree: Tree): ReactNode {
  if (typeof tree === "string") return tree;
  return createElement(tree.tag, { className: tree.className }, ...tree.children.map(drawTree));
}
