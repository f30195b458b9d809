import { type ComponentType, lazy, useState } from "react";

/**
 * A part of a page whose code comes later. What has been fetched by then is drawn at once: `lazy` alone would show the fallback
 * of its boundary first, and React then waits 300 ms before it takes that away. A failure to fetch is told when it is drawn.
 */
export function lazyPart(load: () => Promise<ComponentType>): { Part: ComponentType; preload: () => void } {
  let fetched: ComponentType | null = null;
  const fetchPart = async () => {
    fetched = await load();
    return { default: fetched };
  };
  const Lazy: ComponentType | ReturnType<typeof lazy<ComponentType>> = lazy(fetchPart);
  return {
    Part() {
      // One and the same for as long as it is there: another type would lose its state.
      const [Drawn] = useState(() => fetched ?? Lazy);
      return <Drawn />;
    },
    preload: () => void fetchPart().catch(() => undefined),
  };
}
