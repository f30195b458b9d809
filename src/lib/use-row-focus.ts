import { useEffect, useRef } from "react";

/** Marks an element as a row of a list: `{...rowMark(id)}`. */
export function rowMark(id: string): { "data-row": string } {
  return { "data-row": id };
}

/** Marks the control of a row that gets the focus before its others. */
export const rowAction = { "data-row-action": "" };

/**
 * When what one has pressed leaves the list, with its row or without it, by oneself or by somebody else: the focus goes on to
 * the same row, else to the nearest that is left, else to the page's heading. `rows` is what the list is drawn from.
 */
export function useRowFocus(rows: unknown): void {
  const place = useRef<string[] | null>(null);
  useEffect(() => {
    function follow({ target }: FocusEvent): void {
      place.current = nearestTo(target instanceof Element ? target.closest<HTMLElement>("[data-row]") : null);
    }
    /** Somebody who clicks beside the list wants no focus in it. What leaves the page says nothing, or too late to be there. */
    function forget({ target }: FocusEvent): void {
      setTimeout(() => {
        if (target instanceof Element && target.isConnected && hasNoFocus()) place.current = null;
      });
    }
    document.addEventListener("focusin", follow);
    document.addEventListener("focusout", forget);
    return () => {
      document.removeEventListener("focusin", follow);
      document.removeEventListener("focusout", forget);
    };
  }, []);
  // biome-ignore lint/correctness/useExhaustiveDependencies: looked at whenever the rows change
  useEffect(() => {
    if (place.current && hasNoFocus()) controlOf(place.current)?.focus();
  }, [rows]);
}

/** The ids of the row, of those after it and of those before it, nearest first. */
function nearestTo(row: HTMLElement | null): string[] | null {
  if (!row) return null;
  const ids = [...document.querySelectorAll<HTMLElement>("[data-row]")].map(({ dataset }) => dataset.row ?? "");
  const at = ids.indexOf(row.dataset.row ?? "");
  return [...ids.slice(at), ...ids.slice(0, at).reverse()];
}

function controlOf(ids: readonly string[]): HTMLElement | null {
  for (const id of ids) {
    const row = document.querySelector(`[data-row="${CSS.escape(id)}"]`);
    const control =
      row?.querySelector<HTMLElement>("[data-row-action]") ?? row?.querySelector<HTMLElement>("button, a[href]");
    if (control) return control;
  }
  return document.querySelector<HTMLElement>("main h1");
}

function hasNoFocus(): boolean {
  return document.activeElement === null || document.activeElement === document.body;
}
