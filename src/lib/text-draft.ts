import { readDraft, writeDraft } from "./session-draft";

/** Identifies this module as the writer: no other form in the tab shares these drafts. */
const WRITER = {};

/** One text that is being written in this tab; "" when there is none. */
export function readTextDraft(key: string): string {
  return readDraft(key, textOf) ?? "";
}

export function writeTextDraft(key: string, text: string): void {
  writeDraft(key, text === "" ? null : { text }, WRITER);
}

function textOf(stored: unknown): string | null {
  if (typeof stored !== "object" || stored === null) return null;
  const { text }: { text?: unknown } = stored;
  return typeof text === "string" ? text : null;
}

/** The parts of a draft that were written by hand, in the order of a form. */
const WRITTEN = ["title", "description", "text"] as const;

/** The texts of a draft, whichever form wrote it; none where they are blank. */
export function typedIn(key: string): string[] {
  return readDraft(key, textsOf) ?? [];
}

/** For what is no form of the draft: every form that shows it is notified. */
export function deleteDraft(key: string): void {
  writeDraft(key, null, {});
}

function textsOf(stored: unknown): string[] | null {
  if (typeof stored !== "object" || stored === null) return null;
  const draft: Partial<Record<(typeof WRITTEN)[number], unknown>> = stored;
  return WRITTEN.flatMap((field) => {
    const text = draft[field];
    return typeof text === "string" && text.trim() !== "" ? [text] : [];
  });
}
