import type { SearchResults } from "@server/contract/views";
import { keepPreviousData, skipToken } from "@tanstack/react-query";
import { useMemo } from "react";
import { fold } from "@/lib/fold";
import { trpc } from "@/lib/trpc";
import { useDebounced } from "@/lib/use-debounced";

/**
 * What matches `text`: one request 200 ms after the last key, none for blank text. Meanwhile shows those
 * earlier results that still match. `isFor` says whether the results are those for `text`. With `asClientId` what that client would find.
 */
export function useSearch(text: string, { asClientId }: { asClientId: string | undefined }) {
  const query = text.trim();
  const asked = useDebounced(query);
  const { data, error, isFetching, isPlaceholderData, isError, refetch } = trpc.search.all.useQuery(
    asked === "" ? skipToken : asClientId === undefined ? { q: asked } : { q: asked, asClientId },
    { placeholderData: keepPreviousData },
  );
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

/**
 * The results of an earlier query that match the current one. Somebody who types on and presses Enter before the answer arrives
 * must not open a result of the first letters only.
 */
export function stillFound(results: SearchResults, query: string): SearchResults {
  const { projects, tasks, people, comments, messages, requests, files } = results;
  const wanted = fold(query);
  const holds = (text: string) => fold(text).includes(wanted);
  return {
    projects: projects.filter(({ key, title }) => holds(title) || holds(key)),
    tasks: tasks.filter(({ title, number, project }) => holds(title) || holds(`${project.key}-${number}`)),
    people: people.filter(({ name }) => holds(name)),
    comments: comments.filter(({ excerpt }) => holds(excerpt)),
    messages: messages.filter(({ excerpt }) => holds(excerpt)),
    requests: requests.filter(({ title, excerpt }) => holds(title) || holds(excerpt)),
    files: files.filter(({ name }) => holds(name)),
  };
}
