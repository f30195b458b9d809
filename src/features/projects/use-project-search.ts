import type { ProjectPage } from "@server/contract/views";
import { type QueryKey, skipToken } from "@tanstack/react-query";
import { useCallback } from "react";
import { trpc } from "@/lib/trpc";
import { useDebounced } from "@/lib/use-debounced";
import { messageOf } from "@/lib/user-message";
import { inputOf } from "./project-cache";

/** What could not be read, and how to ask again. */
export interface LoadFailure {
  message: string;
  isRetrying: boolean;
  retry: () => void;
}

/** The server is not asked for a single letter. */
const MIN_SEARCH_LENGTH = 2;

/** What the server finds for a text. */
export interface ProjectSearch {
  /** Undefined for a short text and until the first answer; then the last answer stays until the next one. */
  ids: ReadonlySet<string> | undefined;
  /** The answer is on its way. */
  isPending: boolean;
  /** Why there is none; null otherwise. */
  failure: LoadFailure | null;
}

/** The signed-in person's projects in which the server finds the text, including task titles, which the board does not hold. */
export function useProjectSearch(q: string): ProjectSearch {
  const wanted = q.trim();
  const text = useDebounced(wanted);
  const isAsked = text.length >= MIN_SEARCH_LENGTH;
  // A stable function for a stable text: a new one would create a new set and render for ever.
  const placeholderData = useCallback(
    (previous: ProjectPage | undefined, asked: { queryKey: QueryKey } | undefined) =>
      asked && goesOn(inputOf(asked.queryKey).q, text) ? previous : undefined,
    [text],
  );
  const search = trpc.projects.list.useQuery(isAsked ? { scope: "mine", q: text } : skipToken, {
    placeholderData,
    select: idsOf,
    meta: { isSearch: true },
  });
  const isLate = text !== wanted && wanted.length >= MIN_SEARCH_LENGTH;
  return {
    ids: isAsked && goesOn(text, wanted) ? search.data : undefined,
    isPending: isLate || (isAsked && search.isFetching),
    failure:
      isAsked && !isLate && search.isError
        ? { message: messageOf(search.error), isRetrying: search.isFetching, retry: () => void search.refetch() }
        : null,
  };
}

/** Whether one text continues the other, so that its answer is still useful. */
function goesOn(before: string | undefined, now: string): boolean {
  return !!before && (now.startsWith(before) || before.startsWith(now));
}

function idsOf({ items }: ProjectPage): ReadonlySet<string> {
  return new Set(items.map(({ id }) => id));
}
