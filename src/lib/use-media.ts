import { useCallback, useSyncExternalStore } from "react";
import { currentDrawing } from "./drawing";

/** Whether a media query matches now; follows changes. On the server those of its drawing, else none. */
export function useMedia(query: string): boolean {
  const subscribe = useCallback(
    (listener: () => void) => {
      const list = matchMedia(query);
      list.addEventListener("change", listener);
      return () => list.removeEventListener("change", listener);
    },
    [query],
  );
  return useSyncExternalStore(
    subscribe,
    () => matchMedia(query).matches,
    () => matchesOnServer(query),
  );
}

function matchesOnServer(query: string): boolean {
  const widthRem = currentDrawing()?.widthRem;
  const [, sign, rem] = /^\(width (>=|<) (\d+)rem\)$/.exec(query) ?? [];
  if (widthRem === undefined || rem === undefined) return false;
  return sign === ">=" ? widthRem >= Number(rem) : widthRem < Number(rem);
}
