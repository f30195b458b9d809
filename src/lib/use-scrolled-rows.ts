import { useEffect, useState } from "react";
import { useMedia } from "./use-media";
import { useProgressiveCount } from "./use-progressive-count";

type Growth = {
  /** Drawn at once. */
  first: number;
  /** Added at a time in the background, up to `most`. */
  step: number;
  /** Come by themselves; as many more whenever one comes near the last of them. */
  most: number;
  /** Rendered wherever they are. */
  pinned?: readonly (string | null | undefined)[];
};

type Shown = { list: string; most: number; ids: ReadonlySet<string> };

/**
 * Which rows of a long list to render: the first ones (`count`), more as one scrolls near them, on paper all. Each row costs
 * every press on the page, also where the browser may skip it. One that was rendered stays (`has`), wherever it moves: it may
 * hold the focus, or words that are not saved yet. `setEnd` is the ref of an element over the last rows and the room of the
 * missing ones. Starts again when `list` changes.
 */
export function useScrolledRows(list: string, ids: readonly string[], growth: Growth) {
  const { first, step, most, pinned = [] } = growth;
  const [shown, setShown] = useState<Shown>({ list, most, ids: new Set() });
  const [end, setEnd] = useState<HTMLElement | null>(null);
  const isPrinted = useMedia("print");
  const known = shown.list === list ? shown : { list, most, ids: new Set<string>() };
  const reached = Math.min(ids.length, known.most);
  const grown = useProgressiveCount(list, reached, { first, step });
  const count = isPrinted ? ids.length : Math.min(reached, grown);
  const now = ids.filter((id, at) => at < count || pinned.includes(id));
  if (now.some((id) => !known.ids.has(id))) setShown({ ...known, ids: new Set([...known.ids, ...now]) });
  else if (known !== shown) setShown(known);
  const isWaiting = count === reached && reached < ids.length;
  useEffect(() => {
    if (!isWaiting || !end) return undefined;
    const watcher = new IntersectionObserver((entries) => {
      if (entries.some(({ isIntersecting }) => isIntersecting))
        setShown((before) => ({ ...before, most: reached + most }));
    });
    watcher.observe(end);
    return () => watcher.disconnect();
  }, [isWaiting, end, reached, most]);
  return { count, has: (id: string) => shown.ids.has(id), setEnd };
}
