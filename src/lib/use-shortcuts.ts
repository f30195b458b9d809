import { useEffect, useRef } from "react";
import { useShortcutKeys } from "./use-local-setting";

/** What the keys do, by key. */
export type Shortcuts = Readonly<Record<string, () => void>>;

const BUSY = '[role="dialog"][data-open],[role="alertdialog"],[role="menu"],[role="listbox"]';

/**
 * Single keys for the page; silent while one types, in menus and in dialogs, with Ctrl, Alt or Meta, and when the person has
 * turned them off. Design 3.0.
 */
export function useShortcuts(shortcuts: Shortcuts): void {
  const [areOn] = useShortcutKeys();
  const latest = useRef(shortcuts);
  useEffect(() => {
    latest.current = shortcuts;
  });
  useEffect(() => {
    if (!areOn) return undefined;
    function onKeyDown(event: KeyboardEvent): void {
      if (event.defaultPrevented || event.ctrlKey || event.altKey || event.metaKey || event.isComposing) return;
      const { target } = event;
      if (!(target instanceof Element) || isTyping(target) || target.closest(BUSY)) return;
      const action = latest.current[event.key];
      if (!action) return;
      event.preventDefault();
      action();
    }
    document.addEventListener("keydown", onKeyDown);
    return () => document.removeEventListener("keydown", onKeyDown);
  }, [areOn]);
}

function isTyping(target: Element): boolean {
  if (target instanceof HTMLInputElement) return target.type !== "checkbox";
  return target instanceof HTMLTextAreaElement || target instanceof HTMLSelectElement || isEditable(target);
}

function isEditable(target: Element): boolean {
  return target instanceof HTMLElement && target.isContentEditable;
}
