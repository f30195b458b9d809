import { useSyncExternalStore } from "react";
import { cardLinkId } from "./project-card";

const TIMEOUT_MS = 1_000;
const SHOWN_MS = 2_000;

let freshId: string | null = null;
const listeners = new Set<() => void>();

/**
 * Focuses a project's card as soon as it is rendered and no dialog covers it: a step back in the history and the switch to the
 * card's tab take a moment.
 */
export function focusCard(projectId: string): void {
  const giveUpAtMs = performance.now() + TIMEOUT_MS;
  function look(): void {
    const link = document.getElementById(cardLinkId(projectId));
    const isCovered = document.querySelector('[role="dialog"]') !== null;
    if (link && !isCovered) {
      link.scrollIntoView({ block: "nearest" });
      link.focus({ preventScroll: true });
    } else if (performance.now() < giveUpAtMs) requestAnimationFrame(look);
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
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => freshId,
  );
}

function setFresh(projectId: string | null): void {
  freshId = projectId;
  for (const listener of listeners) listener();
}
