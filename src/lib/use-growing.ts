import { startTransition, useEffect, useState } from "react";

/**
 * How many rows of a long list are drawn: those of a first screen at once, then more and more between other things, so that
 * opening it never holds up the screen. Another `list` begins again.
 */
export function useGrowing(list: string, total: number, { first, step }: { first: number; step: number }): number {
  const [grown, setGrown] = useState({ list, count: first });
  if (grown.list !== list) setGrown({ list, count: first });
  const isWhole = grown.count >= total;
  useEffect(() => {
    if (isWhole) return undefined;
    const timer = setTimeout(() => startTransition(() => setGrown({ list, count: grown.count + step })));
    return () => clearTimeout(timer);
  }, [isWhole, list, grown, step]);
  return grown.count;
}
