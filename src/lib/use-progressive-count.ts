import { startTransition, useEffect, useState } from "react";

/**
 * How many rows of a long list are drawn: those of a first screen at once, then more and more between other things, so that
 * opening it never holds up the screen. Another `list` begins again.
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
