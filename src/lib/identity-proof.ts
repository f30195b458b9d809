import type { RegisteredRouter } from "@tanstack/react-router";
import { useSyncExternalStore } from "react";
import { createStore } from "./store";
import type { IdentityRefusal } from "./trpc";

type Settle = (isGiven: boolean) => void;

const SET_UP_PATH = "/two-factor";

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

/**
 * What the page does when the server wants more than a session: true when the call is to be made again. Where two-factor sign-in has
 * to be set up first, because an admin has just required it, the page for that opens.
 */
export async function handleIdentityRefusal(router: RegisteredRouter, reason: IdentityRefusal): Promise<boolean> {
  if (reason === "reauthentication-required") return askForProof();
  const { api } = router.options.context;
  // Whether the page knew it already says nothing: it may have read `auth.me` a moment ago, and stayed.
  if (router.latestLocation.pathname !== SET_UP_PATH) {
    api.auth.me.setData(undefined, (me) => me && { ...me, mustSetUpTwoFactor: true });
    void router.invalidate();
  }
  return false;
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
