import { readFileSync } from "node:fs";
import * as fontkit from "fontkit";
import type PDFDocument from "pdfkit";
import { BOLD, fontPath, REGULAR, readFallback } from "./pdf-fonts";

type Document = InstanceType<typeof PDFDocument>;

interface TextStyle {
  size?: number;
  isBold?: boolean;
  color?: string;
  width?: number;
}

/** Written from the present place, or from `x` and `y`. */
export type WriteText = (text: string, style?: TextStyle & { x?: number; y?: number }) => void;

/** Nothing that moves the pen, but new lines. */
const CONTROLS = /[^\P{Cc}\n]/gu;
const INK = "#171d26";
const SIZE = 10;

/** The font with which a document has to begin: the fonts that pdfkit brings lie in files that the build does not have. */
export const FIRST_FONT = () => fontPath(REGULAR);

/** Writes into a document; letters that the first font lacks come from one that has every script. */
export function createTextWriter(document: Document): WriteText {
  const regular = fontkit.create(readFileSync(fontPath(REGULAR)));
  const has = (letter: string) =>
    "hasGlyphForCodePoint" in regular && regular.hasGlyphForCodePoint(letter.codePointAt(0) ?? 0);
  document.registerFont("regular", fontPath(REGULAR)).registerFont("bold", fontPath(BOLD));
  let hasFallback = false;
  function setFont(isOwn: boolean, isBold: boolean): void {
    if (!isOwn && !hasFallback) {
      document.registerFont("fallback", readFallback());
      hasFallback = true;
    }
    document.font(isOwn ? (isBold ? "bold" : "regular") : "fallback");
  }
  /** The fallback's lines are lower: what follows would begin within the last one. */
  function endLine(isOwn: boolean): void {
    if (isOwn) return;
    const written = document.currentLineHeight(true);
    document.y += document.font("regular").currentLineHeight(true) - written;
  }
  return (text, { size = SIZE, isBold = false, color = INK, width, x = document.page.margins.left, y } = {}) => {
    document.fontSize(size).fillColor(color);
    if (y !== undefined) document.y = y;
    // A line at a time: what a run ends with says nothing about the next one.
    for (const line of text.replace(CONTROLS, "").split("\n")) {
      const runs = runsOf(line || " ", has);
      document.x = x;
      for (const [at, run] of runs.entries()) {
        setFont(run.isOwn, isBold);
        document.text(run.text, { continued: at < runs.length - 1, ...(width !== undefined && { width }) });
      }
      endLine(runs.at(-1)?.isOwn ?? true);
    }
  };
}

/** Pieces whose letters are all in the first font, or all not; blanks stay with what stands before them. */
function runsOf(text: string, has: (letter: string) => boolean): { text: string; isOwn: boolean }[] {
  const runs: { text: string; isOwn: boolean }[] = [];
  for (const letter of text) {
    const last = runs.at(-1);
    const isOwn = /[\s\p{Cf}]/u.test(letter) ? (last?.isOwn ?? true) : has(letter);
    if (last?.isOwn === isOwn) last.text += letter;
    else runs.push({ text: letter, isOwn });
  }
  return runs;
}
