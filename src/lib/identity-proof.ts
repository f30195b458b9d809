import { useSyncExternalStore } from "react";
import { createStore } from "./store";

/** What the person is being asked, once for all calls that wait for it; null for nothing. */
let question: { answer: Promise<boolean>; settle: (isGiven: boolean) => void } | null = null;
const store = createStore();

/**
 * Asks over the page for a fresh proof of who is signed in, which the server wants before it does what was called
 * (`reauthentication-required`). True once it was given; false when the person cancels or their session ends.
 */
export function askForProof(): Promise<boolean> {
  if (question === null) {
    let settle = (_isGiven: boolean) => {};
    const answer = new Promise<boolean>((resolve) => {
      settle = resolve;
    });
    question = { answer, settle };
    store.emit();
  }
  return question.answer;
}

/** Answers `askForProof`. Does nothing when nothing is asked. */
export function settleProof(isGiven: boolean): void {
  question?.settle(isGiven);
  question = null;
  store.emit();
}

/** Whether the person is being asked for a fresh proof. */
export function useProofQuestion(): boolean {
  return useSyncExternalStore(
    store.subscribe,
    () => question !== null,
    () => false,
  );
}
