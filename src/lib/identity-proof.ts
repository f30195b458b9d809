import { useSyncExternalStore } from "react";
import { createStore } from "./store";

type Settle = (isGiven: boolean) => void;

/** The calls that wait for the answer to one question; while there are none, nothing is asked. */
const waiting = new Set<Settle>();
const store = createStore();

/**
 * Asks over the page for a fresh proof of who is signed in, which the server wants before it does what was called
 * (`reauthentication-required`). True once it was given; false when the person cancels or leaves the page.
 */
export function askForProof(): Promise<boolean> {
  return new Promise((resolve) => {
    waiting.add(resolve);
    store.emit();
  });
}

/** Answers `askForProof`. Does nothing when nothing is asked. */
export function settleProof(isGiven: boolean): void {
  for (const settle of waiting) settle(isGiven);
  waiting.clear();
  store.emit();
}

/** Whether the person is being asked for a fresh proof. */
export function useProofQuestion(): boolean {
  return useSyncExternalStore(
    store.subscribe,
    () => waiting.size > 0,
    () => false,
  );
}
