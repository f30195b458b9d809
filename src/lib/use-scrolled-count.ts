import { useEffect, useRef, useState } from "react";
import { useMedia } from "./use-media";
import { useProgressiveCount } from "./use-progressive-count";

type Growth = {
  /** Drawn at once. */
  first: number;
  /** Added at a time in the background. */
  step: number;
  /** Come without scrolling, and so many more each time one comes near the last of them. */
  reach: number;
};

/**
 * How many rows of a long list to render, from its first: those that one has come near by scrolling, and all of them on paper.
 * Each row costs every press on the page, also where the browser may skip it. `end` belongs to an element over the end of the
 * rows and the room of the missing ones. Starts again when `list` changes.
 */
export function useScrolledCount(list: string, total: number, { first, step, reach }: Growth) {
  const [reached, setReached] = useState({ list, count: reach });
  if (reached.list !== list) setReached({ list, count: reach });
  const isPrinted = useMedia("print");
  const goal = isPrinted ? total : Math.min(total, reached.count);
  const count = Math.min(goal, useProgressiveCount(list, goal, { first: isPrinted ? total : first, step }));
  const end = useRef<HTMLDivElement>(null);
  const isWaiting = count === goal && goal < total;
  useEffect(() => {
    if (!isWaiting || !end.current) return undefined;
    const watcher = new IntersectionObserver((entries) => {
      if (entries.some(({ isIntersecting }) => isIntersecting)) setReached({ list, count: goal + reach });
    });
    watcher.observe(end.current);
    return () => watcher.disconnect();
  }, [isWaiting, list, goal, reach]);
  return { count, end };
}
