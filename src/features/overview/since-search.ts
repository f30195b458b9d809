import type { ChangeKind } from "@server/contract/overview";
import { choice, optional, type RawSearch, text } from "@/lib/search";

/** In the order of the sentence. */
export const CHANGE_KINDS = ["tasksDone", "datesMoved", "commits", "messages"] as const satisfies readonly ChangeKind[];

/** What is listed: everything of a kind since an instant. */
export type ChangesAsked = { kind: ChangeKind; since: string };

/** `?since=tasksDone,2026-11-17T18:02:11.412Z` lists the changes of a kind over a start page. */
export function readSinceSearch({ since }: RawSearch) {
  return optional({ since: fromAddress(since) && text(since) });
}

/** As it stands in an address. */
export function toAddress({ kind, since }: ChangesAsked): string {
  return `${kind},${since}`;
}

/** Undefined for anything else. */
export function fromAddress(value: unknown): ChangesAsked | undefined {
  const [name, since = "", ...rest] = text(value)?.split(",") ?? [];
  const kind = choice(name, CHANGE_KINDS);
  const isInstant = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(since) && !Number.isNaN(Date.parse(since));
  return kind && isInstant && rest.length === 0 ? { kind, since } : undefined;
}
