import { startTransition, useEffect, useState } from "react";

/**
 * How many rows of a long list to render: a first screen at once, then more in the background, so that opening the list never
 * blocks. Starts again when `list` changes.
 */
export function useProgressiveCount(
  list: string,
  total: number,
  { first, step }: { first: number; step: number },
): number {
  const [shown, setShown] = useState({ list, count: first });
  if (shown.list !== list) setShown({ list, count: first });
  const isWhole = shown.count >= total;
  useEffect(() => {
    if (isWhole) return undefined;
    const timer = setTimeout(() => startTransition(() => setShown({ list, count: shown.count + step })));
    return () => clearTimeout(timer);
  }, [isWhole, list, shown, step]);
  return shown.count;
}
