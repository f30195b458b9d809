import { readDraft, writeDraft } from "@/lib/session-draft";

/** Nobody else listens to a draft in the same tab: each conversation has one field. */
const WRITER = {};

/** What is typed to somebody and not sent, in this tab; "" for nothing. */
export function readMessageDraft(owner: DraftOwner): string {
  return readDraft(keyOf(owner), textOf) ?? "";
}

/** Keeps it; "" forgets it. */
export function writeMessageDraft(owner: DraftOwner, text: string): void {
  writeDraft(keyOf(owner), text === "" ? null : { text }, WRITER);
}

/** Who types, and to whom. */
export interface DraftOwner {
  ownId: string;
  partnerId: string;
}

function keyOf({ ownId, partnerId }: DraftOwner): string {
  return `message:${ownId}:${partnerId}`;
}

function textOf(stored: unknown): string | null {
  if (typeof stored !== "object" || stored === null || !("text" in stored)) return null;
  return typeof stored.text === "string" ? stored.text : null;
}
