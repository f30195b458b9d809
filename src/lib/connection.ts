import { useSyncExternalStore } from "react";

const QUIET_MS = 3_000;

/** "open": events arrive; "away": they do not, and somebody waits for them; "idle": nobody does. */
export type ConnectionState = "open" | "away" | "idle";

let state: ConnectionState = "idle";
let isLost = false;
let wasAway = false;
let timer = 0;
const losses = new Set<() => void>();
const returns = new Set<() => void>();

/** For the socket: tells how it stands. */
export function setConnectionState(next: ConnectionState): void {
  if (next === state) return;
  state = next;
  window.clearTimeout(timer);
  if (next === "away") timer = window.setTimeout(() => setLost(true), QUIET_MS);
  else setLost(false);
  if (next === "open" && wasAway) for (const listener of returns) listener();
  wasAway = next === "away";
}

/** Whether live events have failed to come for more than 3 s; the screen says so quietly. */
export function useConnectionLost(): boolean {
  return useSyncExternalStore(
    (listener) => {
      losses.add(listener);
      return () => losses.delete(listener);
    },
    () => isLost,
  );
}

/** Calls back whenever events flow again after an interruption: what happened meanwhile has to be fetched. */
export function onConnectionReturn(listener: () => void): () => void {
  returns.add(listener);
  return () => returns.delete(listener);
}

function setLost(next: boolean): void {
  if (isLost === next) return;
  isLost = next;
  for (const listener of losses) listener();
}
