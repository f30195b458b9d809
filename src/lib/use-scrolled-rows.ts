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
  pinned: readonly (string | null | undefined)[];
};

/**
 * Which rows of a long list to render: the first ones (`count`), more as one scrolls near them, on paper all. Each row costs
 * every press on the page, also where the browser may skip it. One that was rendered stays (`shown`), wherever it moves: it may
 * hold the focus, or words that are not saved yet. `setEnd` is the ref of an element over the last rows and the room of the
 * missing ones. Of one list for good: give another one another key.
 */
export function useScrolledRows(ids: readonly string[], { first, step, most, pinned }: Growth) {
  const [limit, setLimit] = useState(most);
  const [shown, setShown] = useState<ReadonlySet<string>>(new Set());
  const [end, setEnd] = useState<HTMLElement | null>(null);
  const isPrinted = useMedia("print");
  const reached = Math.min(ids.length, limit);
  const near = Math.min(reached, useProgressiveCount("", reached, { first, step }));
  const now = ids.filter((id, at) => at < near || pinned.includes(id));
  if (now.some((id) => !shown.has(id))) setShown(new Set([...shown, ...now]));
  const isWaiting = near === reached && reached < ids.length;
  useEffect(() => {
    if (!isWaiting || !end) return undefined;
    const watcher = new IntersectionObserver(([seen]) => seen?.isIntersecting && setLimit(reached + most));
    watcher.observe(end);
    return () => watcher.disconnect();
  }, [isWaiting, end, reached, most]);
  return { count: isPrinted ? ids.length : near, shown, setEnd };
}
