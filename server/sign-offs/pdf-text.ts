import { readFileSync } from "node:fs";
import * as fontkit from "fontkit";
import type PDFDocument from "pdfkit";
import { BOLD, EMOJI, fontPath, REGULAR, readFallback } from "./pdf-fonts";

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

/** In which a piece of text is written. */
type Face = "regular" | "emoji" | "fallback";
/** A picture, a flag, or a sign that is asked to be one. */
const MAY_BE_EMOJI = /\p{Extended_Pictographic}|\p{Regional_Indicator}|[\uFE0F\u20E3]/u;
const AS_PICTURE = /[\uFE0F\u20E3]/;
/** Has no letter of its own. */
const UNSEEN = /^[\s\p{Cf}]+$/u;
const graphemes = new Intl.Segmenter("en", { granularity: "grapheme" });

/** Writes into a document; letters that the first font lacks come from one of emoji, or from one that has every script. */
export function createTextWriter(document: Document): WriteText {
  const faceOf = createFaceFinder();
  document.registerFont("regular", fontPath(REGULAR)).registerFont("bold", fontPath(BOLD));
  const registered = new Set<Face>(["regular"]);
  function setFont(face: Face, isBold: boolean): void {
    if (!registered.has(face)) document.registerFont(face, face === "emoji" ? fontPath(EMOJI) : readFallback());
    registered.add(face);
    document.font(face === "regular" && isBold ? "bold" : face);
  }
  /** The lines of other fonts are lower: what follows would begin within the last one. */
  function endLine(face: Face): void {
    if (face === "regular") return;
    const written = document.currentLineHeight(true);
    document.y += document.font("regular").currentLineHeight(true) - written;
  }
  return (text, { size = SIZE, isBold = false, color = INK, width, x = document.page.margins.left, y } = {}) => {
    document.fontSize(size).fillColor(color);
    if (y !== undefined) document.y = y;
    // A line at a time: what a run ends with says nothing about the next one.
    for (const line of text.replace(CONTROLS, "").split("\n")) {
      const runs = runsOf(line || " ", faceOf);
      document.x = x;
      for (const [at, run] of runs.entries()) {
        setFont(run.face, isBold);
        document.text(run.text, { continued: at < runs.length - 1, ...(width !== undefined && { width }) });
      }
      endLine(runs.at(-1)?.face ?? "regular");
    }
  };
}

/** Says which font has a letter, with its accents and all that it is joined with. */
export function createFaceFinder(): (letter: string) => Face {
  const own = coverageOf(REGULAR);
  let emoji: ReturnType<typeof coverageOf> | undefined;
  return (letter) => {
    const isOwn = [...letter].every((sign) => UNSEEN.test(sign) || own(sign));
    if (isOwn && !AS_PICTURE.test(letter)) return "regular";
    if (!MAY_BE_EMOJI.test(letter)) return "fallback";
    emoji ??= coverageOf(EMOJI);
    return emoji(letter) ? "emoji" : "fallback";
  };
}

/** Whether a font has the first sign of a letter. */
function coverageOf(file: string): (letter: string) => boolean {
  const font = fontkit.create(readFileSync(fontPath(file)));
  return (letter) => "hasGlyphForCodePoint" in font && font.hasGlyphForCodePoint(letter.codePointAt(0) ?? 0);
}

/** Pieces whose letters are all in one font; blanks stay with what stands before them, but for emoji. */
function runsOf(text: string, faceOf: (letter: string) => Face): { text: string; face: Face }[] {
  const runs: { text: string; face: Face }[] = [];
  for (const { segment } of graphemes.segment(text)) {
    const last = runs.at(-1);
    // A blank of the emoji font is as wide as an emoji.
    const before = last?.face === "emoji" ? undefined : last?.face;
    const face = UNSEEN.test(segment) ? (before ?? "regular") : faceOf(segment);
    if (last?.face === face) last.text += segment;
    else runs.push({ text: segment, face });
  }
  return runs;
}
