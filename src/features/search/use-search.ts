import { keepPreviousData, skipToken } from "@tanstack/react-query";
import { trpc } from "@/lib/trpc";
import { useSettled } from "@/lib/use-settled";

/**
 * Projects, tasks and people that the server finds for some words, 200 ms after the last key: one request a pause. What was
 * found before stays meanwhile; nothing is asked for blank words. `isFor` says whether the answer is the one to `text`.
 */
export function useSearch(text: string) {
  const words = text.trim();
  const asked = useSettled(words);
  const { data, error, isFetching, isPlaceholderData, isError, refetch } = trpc.search.all.useQuery(
    asked === "" ? skipToken : { q: asked },
    { placeholderData: keepPreviousData },
  );
  const isFor = words !== "" && words === asked && !isPlaceholderData && !isFetching;
  return {
    found: words === "" ? undefined : data,
    failure: isError && words !== "" ? error : null,
    isFor,
    isFetching,
    retry: () => void refetch(),
  };
}
