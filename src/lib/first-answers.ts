import { FIRST_ANSWERS_ID, type FirstAnswers } from "@server/contract/first-answers";
import type { QueryClient } from "@tanstack/react-query";
import type { SuperJSONResult } from "superjson";
import { transformer } from "@/client/transformer";
import { type LiveCursors, liveCursors } from "./live-cursor";

/** Takes what the page asks first out of the document, where the server has put it, into the cache: none of it is asked again. */
export function takeFirstAnswers(queryClient: QueryClient): void {
  const element = document.getElementById(FIRST_ANSWERS_ID);
  if (!element) return;
  // Nothing of it stays in the page after the session.
  element.remove();
  seedFirstAnswers(element.textContent, { queryClient, cursors: liveCursors });
}

/** Puts the answers into the cache under the keys of tRPC's hooks. */
export function seedFirstAnswers(
  json: string,
  { queryClient, cursors }: { queryClient: QueryClient; cursors: Pick<LiveCursors, "note"> },
): void {
  const { cursor, calls, answers }: FirstAnswers<SuperJSONResult> = JSON.parse(json);
  for (const [at, { path, input, isPaged }] of calls.entries()) {
    const wire = answers[at]?.result?.data;
    if (!wire) continue;
    const answer: unknown = transformer.output.deserialize(wire);
    // The cache holds whole lists of projects: of a longer one this is only the beginning.
    if (path === "projects.list" && hasMore(answer)) continue;
    const key = [path.split("."), { ...(input && { input }), type: isPaged ? "infinite" : "query" }];
    queryClient.setQueryData(key, isPaged ? { pages: [answer], pageParams: [null] } : answer);
    if (cursor !== null) cursors.note({ path, input, cursor });
  }
}

function hasMore(answer: unknown): boolean {
  const { nextCursor }: { nextCursor?: string | null } = Object(answer);
  return Boolean(nextCursor);
}
