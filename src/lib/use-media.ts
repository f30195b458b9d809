import { useCallback, useSyncExternalStore } from "react";

/** Whether a media query matches now; follows changes. False on the server. */
export function useMedia(query: string): boolean {
  const subscribe = useCallback(
    (listener: () => void) => {
      const list = window.matchMedia(query);
      list.addEventListener("change", listener);
      return () => list.removeEventListener("change", listener);
    },
    [query],
  );
  return useSyncExternalStore(
    subscribe,
    () => window.matchMedia(query).matches,
    () => matchesOnServer(query),
  );
}

let serverWidthRem: number | null = null;

/** Draws on the server for a window of that width. Otherwise no query matches there. */
export function drawAtWidth<Drawn>(widthRem: number, draw: () => Drawn): Drawn {
  serverWidthRem = widthRem;
  try {
    return draw();
  } finally {
    serverWidthRem = null;
  }
}

function matchesOnServer(query: string): boolean {
  const [, sign, rem] = /^\(width (>=|<) (\d+)rem\)$/.exec(query) ?? [];
  if (serverWidthRem === null || rem === undefined) return false;
  return sign === ">=" ? serverWidthRem >= Number(rem) : serverWidthRem < Number(rem);
}
