import { type RefObject, useEffect, useLayoutEffect, useRef } from "react";
import { pageHeading } from "./page-focus";
import { setStandIn } from "./use-opener";

/** Marks an element as a row of a list: `{...rowMark(id)}`. */
export function rowMark(id: string): { "data-row": string } {
  return { "data-row": id };
}

/** Marks the control of a row that takes the focus before its others. */
export const rowAction = { "data-row-action": "" };

type RowFocusOptions = {
  /** What the list is rendered from. */
  rows: unknown;
  /** Takes the focus when no row is left; the page's heading by default. */
  fallback?: (() => HTMLElement | null | undefined) | undefined;
};

/** The control that had the focus last, with the ids of its row and of the other rows, nearest first. */
interface Origin {
  control: HTMLElement;
  rowIds: string[];
}

/**
 * Hands the focus on when the control that has it leaves a list, with its row or without it, whoever removed it: to the same
 * row, else to the nearest one, else to `fallback`. `list` outlives its rows. Returns a function that finds this target, for
 * the `finalFocus` of a dialog opened from a row; null when no row had the focus.
 */
export function useRowFocus(list: RefObject<HTMLElement | null>, { rows, fallback }: RowFocusOptions) {
  const origin = useRef<Origin | null>(null);
  /** The dialog that has had the focus since. */
  const dialog = useRef<Element | null>(null);
  useEffect(() => {
    function remember({ target }: FocusEvent): void {
      if (!(target instanceof HTMLElement)) return;
      dialog.current = list.current?.contains(target) ? null : target.closest('[role$="dialog"]');
      if (list.current?.contains(target)) origin.current = originOf(list.current, target);
      // A menu or a dialog belongs to the row that opened it.
      else if (!target.closest("[data-base-ui-portal]")) origin.current = null;
    }
    /**
     * A click beside the list takes the focus away on purpose. A removed element fires no event, or is gone by then; an inert
     * one is covered by a layer, which has not taken the focus yet where it renders slowly.
     */
    function forget({ target }: FocusEvent): void {
      setTimeout(() => {
        const isThere = target instanceof Element && target.isConnected && !target.closest("[inert]");
        if (isThere && hasNoFocus()) origin.current = null;
      });
    }
    document.addEventListener("focusin", remember);
    document.addEventListener("focusout", forget);
    return () => {
      document.removeEventListener("focusin", remember);
      document.removeEventListener("focusout", forget);
    };
  }, [list]);

  function findTarget(): HTMLElement | null {
    if (!origin.current) return null;
    const { control, rowIds } = origin.current;
    if (control.isConnected && control.checkVisibility()) return control;
    return controlNear(list.current, rowIds, control.localName) ?? (fallback ?? pageHeading)() ?? null;
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs whenever the rows change
  useLayoutEffect(() => {
    if (!origin.current) return;
    // A row that moved to another place must not scroll the page. What an open dialog has lost of itself, it replaces itself.
    if (hasNoFocus() && !dialog.current?.isConnected) findTarget()?.focus({ preventScroll: true });
    // A layer that was opened from the row gives the focus back to what has taken the row's place.
    else if (!origin.current.control.isConnected) setStandIn(origin.current.control, findTarget());
  }, [rows]);
  return findTarget;
}

function originOf(list: HTMLElement, control: HTMLElement): Origin | null {
  const row = control.closest<HTMLElement>("[data-row]");
  if (!row) return null;
  const ids = [...list.querySelectorAll<HTMLElement>("[data-row]")].map(({ dataset }) => dataset.row ?? "");
  const at = ids.indexOf(row.dataset.row ?? "");
  return { control, rowIds: [...ids.slice(at), ...ids.slice(0, at).reverse()] };
}

/** In the same row a control of the same kind, in another one its main control. */
function controlNear(list: HTMLElement | null, rowIds: readonly string[], kind: string): HTMLElement | null {
  for (const [distance, id] of rowIds.entries()) {
    const row = list?.querySelector(`[data-row="${CSS.escape(id)}"]`);
    const selectors = ["[data-row-action]", "button, a[href]"];
    if (distance === 0) selectors.unshift(`${kind}[data-row-action]`, kind);
    for (const selector of selectors) {
      const control = row?.querySelector<HTMLElement>(selector);
      if (control) return control;
    }
  }
  return null;
}

function hasNoFocus(): boolean {
  return (document.activeElement ?? document.body) === document.body;
}
