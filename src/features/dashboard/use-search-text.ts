import { useEffect, useRef, useState } from "react";
import { useBoardNavigation, useBoardSearch } from "./use-board";

const PAUSE_MS = 200;

/** What stands in the search box; 200 ms after the last key it is in the address too. Back and "Clear filters" change both. */
export function useSearchText(): [text: string, setText: (text: string) => void] {
  const { q } = useBoardSearch();
  const { search } = useBoardNavigation();
  const [text, setText] = useState(q);
  const written = useRef(q);

  useEffect(() => {
    if (q === written.current) return;
    written.current = q;
    setText(q);
  }, [q]);

  useEffect(() => {
    const wish = text.trim();
    if (wish === written.current.trim()) return undefined;
    const timer = setTimeout(() => {
      written.current = wish;
      search(wish);
    }, PAUSE_MS);
    return () => clearTimeout(timer);
  }, [text, search]);

  return [text, setText];
}
