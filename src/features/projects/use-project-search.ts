import type { ProjectPage } from "@server/contract/views";
import { type QueryKey, skipToken } from "@tanstack/react-query";
import { useCallback } from "react";
import { trpc } from "@/lib/trpc";
import { useDebounced } from "@/lib/use-debounced";
import { inputOf } from "./project-cache";

/** The server is not asked for a single letter. */
const MIN_SEARCH_LENGTH = 2;

/**
 * Ids of the signed-in person's projects in which the server finds the text, including task titles, which the board does not hold.
 * Undefined for a short text and until the first answer; then the last answer stays until the next one.
 */
export function useProjectSearch(q: string): ReadonlySet<string> | undefined {
  const text = useDebounced(q.trim());
  const isAsked = text.length >= MIN_SEARCH_LENGTH;
  // A stable function for a stable text: a new one would create a new set and render for ever.
  const placeholderData = useCallback(
    (previous: ProjectPage | undefined, asked: { queryKey: QueryKey } | undefined) =>
      asked && goesOn(inputOf(asked.queryKey).q, text) ? previous : undefined,
    [text],
  );
  const { data } = trpc.projects.list.useQuery(isAsked ? { scope: "mine", q: text } : skipToken, {
    placeholderData,
    select: idsOf,
    meta: { isSearch: true },
  });
  return isAsked && goesOn(text, q.trim()) ? data : undefined;
}

/** Whether one text continues the other, so that its answer is still useful. */
function goesOn(before: string | undefined, now: string): boolean {
  return !!before && (now.startsWith(before) || before.startsWith(now));
}

function idsOf({ items }: ProjectPage): ReadonlySet<string> {
  return new Set(items.map(({ id }) => id));
}
