import { keepPreviousData, skipToken } from "@tanstack/react-query";
import { useMemo } from "react";
import { trpc } from "@/lib/trpc";
import { useDebounced } from "@/lib/use-debounced";
import { stillFound } from "./still-found";

/**
 * Projects, tasks and people that the server finds for some words, 200 ms after the last key: one request a pause. What was
 * found before stays meanwhile as far as it holds the words; nothing is asked for blank words. `isFor` says whether the answer is the one to `text`.
 */
export function useSearch(text: string) {
  const query = text.trim();
  const asked = useDebounced(query);
  const { data, error, isFetching, isPlaceholderData, isError, refetch } = trpc.search.all.useQuery(
    asked === "" ? skipToken : { q: asked },
    { placeholderData: keepPreviousData },
  );
  // The same object for the same words: what is drawn of it is drawn once.
  const known = useMemo(() => data && stillFound(data, query), [data, query]);
  const isFor = query !== "" && query === asked && !isPlaceholderData && !isFetching;
  return {
    found: query === "" ? undefined : isFor ? data : known,
    failure: isError && query !== "" ? error : null,
    isFor,
    isFetching,
    retry: () => void refetch(),
  };
}
