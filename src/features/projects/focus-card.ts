import { useSyncExternalStore } from "react";
import { createStore } from "@/lib/store";
import { cardLinkId } from "./project-card";

/** A card that is not there after so many frames does not come: a second, or more on a slow machine. */
const MAX_FRAMES = 60;
/** A dialog that closes is gone by then. */
const TIMEOUT_MS = 10_000;
const SHOWN_MS = 2_000;

let freshId: string | null = null;
const fresh = createStore();

/**
 * Focuses a project's card as soon as it is rendered and no dialog covers it: a dialog closes, a step back in the history and
 * the switch to the card's tab take a moment. Not when somebody presses a key or a button meanwhile.
 */
export function focusCard(projectId: string): void {
  const giveUpAtMs = performance.now() + TIMEOUT_MS;
  let framesLeft = MAX_FRAMES;
  const done = new AbortController();
  for (const type of ["keydown", "pointerdown"])
    addEventListener(type, () => done.abort(), { capture: true, signal: done.signal });
  function look(): void {
    if (done.signal.aborted) return;
    const link = document.getElementById(cardLinkId(projectId));
    const isCovered = document.querySelector('[role="dialog"]') !== null;
    if (link && !isCovered) {
      link.scrollIntoView({ block: "nearest" });
      link.focus({ preventScroll: true });
      done.abort();
    } else if (isCovered ? performance.now() < giveUpAtMs : framesLeft-- > 0) requestAnimationFrame(look);
    else done.abort();
  }
  look();
}

/** Focuses the card of a new project and outlines it for 2 s. Design 3.6. */
export function showNewCard(projectId: string): void {
  setFresh(projectId);
  focusCard(projectId);
  setTimeout(() => freshId === projectId && setFresh(null), SHOWN_MS);
}

/** The project whose card is outlined as new. */
export function useFreshProject(): string | null {
  return useSyncExternalStore(
    fresh.subscribe,
    () => freshId,
    () => null,
  );
}

function setFresh(projectId: string | null): void {
  freshId = projectId;
  fresh.emit();
}
