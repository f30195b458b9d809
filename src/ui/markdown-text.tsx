import { lazy, Suspense } from "react";
import { cn } from "@/lib/cn";
import type { MarkdownProps } from "./markdown";

/** Fetches the parser. */
export const loadMarkdown = () => import("./markdown");
const Markdown = lazy(() => loadMarkdown().then((module) => ({ default: module.Markdown })));

/** What the subset may give a meaning to; without any of it a text is shown as it is. */
const MARKS = /[*_~`[\]\\<@]|^\s*(?:[-+>#]|\d+[.)])\s|-{3}|https?:|www\./m;

/** A text in which people may use Markdown. The parser is fetched with the first text that has any; until then it is plain. */
export function MarkdownText({ text, ownId, className }: MarkdownProps) {
  const plain = (
    <p dir="auto" className={cn("whitespace-pre-line [overflow-wrap:anywhere]", className)}>
      {text}
    </p>
  );
  if (!MARKS.test(text)) return plain;
  return (
    <Suspense fallback={plain}>
      <Markdown text={text} ownId={ownId} className={className} />
    </Suspense>
  );
}
