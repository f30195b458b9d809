import { useSyncExternalStore } from "react";
import { currentDrawing } from "./drawing";
import { clock } from "./use-today";

/**
 * What depends on the time, such as an age: read again each minute, and drawn again only when it has become another. `now` is null
 * on the server and until the browser has taken over what that drew.
 */
export function useAtMinute<Value extends string | boolean | null>(read: (now: Date | null) => Value): Value {
  return useSyncExternalStore(
    clock.subscribe,
    () => read(new Date()),
    () => read(currentDrawing() ? null : new Date()),
  );
}
