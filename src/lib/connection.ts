import { createStore } from "./store";

/** "open": events arrive; "away": they do not, and somebody waits for them; "idle": nobody does. */
export type ConnectionState = "open" | "away" | "idle";

let state: ConnectionState = "idle";
let caughtUp: Promise<unknown> = Promise.resolve();
const store = createStore();
const returns = new Set<() => unknown>();

/** Called by the socket whenever its state changes. */
export function setConnectionState(next: ConnectionState): void {
  if (next === state) return;
  const isBack = next === "open" && state === "away";
  state = next;
  if (isBack) caughtUp = Promise.allSettled([...returns].map((listener) => listener()));
  store.emit();
}

/** The state of this tab's live connection. */
export function connectionState(): ConnectionState {
  return state;
}

/** Settles once everything that was asked for at the last return of the connection has been answered, or has failed. */
export function whenCaughtUp(): Promise<unknown> {
  return caughtUp;
}

/** Calls back at every change of the state. Returns the function that unsubscribes. */
export const watchConnection = store.subscribe;

/** Calls back whenever events flow again after an interruption: what happened meanwhile has to be fetched. */
export function onConnectionReturn(listener: () => unknown): () => void {
  returns.add(listener);
  return () => returns.delete(listener);
}
