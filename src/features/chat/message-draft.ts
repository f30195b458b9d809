import { readDraft, writeDraft } from "@/lib/session-draft";

/** Nobody else listens to a draft in the same tab: each conversation has one field. */
const WRITER = {};

/** What is typed to somebody and not sent, in this tab; "" for nothing. */
export function readMessageDraft(place: DraftPlace): string {
  return readDraft(keyOf(place), textOf) ?? "";
}

/** Keeps it; "" forgets it. */
export function writeMessageDraft(place: DraftPlace, text: string): void {
  writeDraft(keyOf(place), text === "" ? null : { text }, WRITER);
}

/** Who types, and to whom. */
export interface DraftPlace {
  ownId: string;
  partnerId: string;
}

function keyOf({ ownId, partnerId }: DraftPlace): string {
  return `message:${ownId}:${partnerId}`;
}

function textOf(kept: unknown): string | null {
  if (typeof kept !== "object" || kept === null || !("text" in kept)) return null;
  return typeof kept.text === "string" ? kept.text : null;
}
