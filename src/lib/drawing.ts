import { useSyncExternalStore } from "react";

/** What a page is drawn for on the server, where only its reader's browser knows better. */
export interface Drawing {
  /** Its address there: path and search. */
  href: string;
  widthRem: number;
  /** The reader's calendar day, as the server guesses it: `YYYY-MM-DD`. */
  day: string;
}

let current: Drawing | null = null;
let takenOver: Promise<void> = Promise.resolve();

/** Draws on the server for a page that is taken over by `continueDrawing`. */
export function drawFor<Drawn>(drawing: Drawing, draw: () => Drawn): Drawn {
  current = drawing;
  try {
    return draw();
  } finally {
    current = null;
  }
}

/** In the browser, for good: what hydrates begins as it was drawn. The returned function says that all of it has been taken over. */
export function continueDrawing(drawing: Drawing): () => void {
  current = drawing;
  let end = (): void => undefined;
  takenOver = new Promise((resolve) => {
    end = resolve;
  });
  return end;
}

/** Resolves once React has all that was drawn. What changes before would not be what it finds there, and it would draw that part anew. */
export function whenTakenOver(): Promise<void> {
  return takenOver;
}

/** For snapshots of the server, which hydration reads too; null where nothing has been drawn. */
export function currentDrawing(): Drawing | null {
  return current;
}

/** Whether this is the server, or the browser before it has taken over what that drew: times of day wait for the reader's zone. */
export function useIsDrawing(): boolean {
  return useSyncExternalStore(
    subscribe,
    () => false,
    () => current !== null,
  );
}

function subscribe(): () => void {
  return () => undefined;
}
