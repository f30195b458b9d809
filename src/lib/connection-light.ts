import { useSyncExternalStore } from "react";
import { connectionState, watchConnection, whenCaughtUp } from "./connection";
import { createStore } from "./store";

const LOST_AFTER_MS = 3_000;
const CAUGHT_UP_MS = 4_000;

/**
 * What the screen says of the live connection. "calm": nothing, for events arrive or nobody waits for them; "lost": since when
 * they have failed to come, once that is more than 3 s; then "catching-up" until everything has been read again, and "caught-up"
 * for 4 s.
 */
export type ConnectionLight =
  | { phase: "calm" | "catching-up" | "caught-up" }
  | { phase: "lost" /** Of this browser's clock, in milliseconds. */; since: number };

const CALM: ConnectionLight = { phase: "calm" };
let light: ConnectionLight = CALM;
let timer: ReturnType<typeof setTimeout> | undefined;
let isFollowing = false;
const store = createStore();

/** Follows the live connection of this tab. */
export function useConnectionLight(): ConnectionLight {
  return useSyncExternalStore(subscribe, connectionLight, () => CALM);
}

/** As it is now. */
export function connectionLight(): ConnectionLight {
  return light;
}

/** Begins to follow the connection, for good: a page that comes between two others must not forget since when. */
export function followConnection(): void {
  if (isFollowing) return;
  isFollowing = true;
  watchConnection(follow);
  follow();
}

function subscribe(listener: () => void): () => void {
  followConnection();
  return store.subscribe(listener);
}

function follow(): void {
  const state = connectionState();
  if (state === "away") {
    show(CALM);
    const since = Date.now();
    timer = setTimeout(() => show({ phase: "lost", since }), LOST_AFTER_MS);
  } else if (state === "open" && light.phase === "lost") {
    const back: ConnectionLight = { phase: "catching-up" };
    show(back);
    void whenCaughtUp().then(() => {
      if (light !== back) return;
      show({ phase: "caught-up" });
      timer = setTimeout(() => show(CALM), CAUGHT_UP_MS);
    });
  } else show(CALM);
}

function show(next: ConnectionLight): void {
  clearTimeout(timer);
  if (light === next) return;
  light = next;
  store.emit();
}
