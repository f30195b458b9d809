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
