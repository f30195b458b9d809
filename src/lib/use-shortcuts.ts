import { useEffect, useEffectEvent } from "react";
import { useIsDrawing } from "./drawing";
import { useShortcutKeys } from "./use-local-setting";

/** Actions by key; "mod+k" is Ctrl+K, on a Mac Cmd+K. */
export type Shortcuts = Readonly<Record<string, () => void>>;

/** A layer in front of the page. The panel beside the board is none: there the page stays usable. */
const MODAL = '[data-modal][data-open],[role="alertdialog"][data-open]';
const BUSY = `${MODAL},[role="menu"],[role="listbox"]`;

const IS_APPLE = typeof navigator !== "undefined" && /Mac|iPhone|iPad/.test(navigator.platform);

/** Whether shortcuts use Cmd instead of Ctrl. The server, which cannot know, draws Ctrl. */
export function useIsApple(): boolean {
  const isDrawing = useIsDrawing();
  return IS_APPLE && !isDrawing;
}

/** A shortcut as its keys are labelled: "Ctrl K" or "⌘ K" for "mod+k". */
export function shortcutLabel(shortcut: string, isApple: boolean): string {
  return shortcut.startsWith("mod+") ? `${isApple ? "⌘" : "Ctrl"} ${shortcut.slice(4).toUpperCase()}` : shortcut;
}

/** A shortcut as `aria-keyshortcuts` writes it: "Control+K". */
export function ariaShortcut(shortcut: string, isApple: boolean): string {
  return shortcut.startsWith("mod+") ? `${isApple ? "Meta" : "Control"}+${shortcut.slice(4).toUpperCase()}` : shortcut;
}

/**
 * Keys for the page. Single ones are silent while one types, in menus and in dialogs, and when the person has turned them
 * off; those with Ctrl or Cmd also work while one types, but not under a modal dialog. Design 3.0.
 */
export function useShortcuts(shortcuts: Shortcuts): void {
  const [areSingleOn] = useShortcutKeys();
  const onKeyDown = useEffectEvent((event: KeyboardEvent) => {
    if (event.defaultPrevented || event.altKey || event.isComposing || event.repeat) return;
    const name = shortcutOf(event);
    const action = name === undefined ? undefined : shortcuts[name];
    if (!action || document.querySelector(MODAL)) return;
    if (name === event.key && (!areSingleOn || isTaken(event.target))) return;
    event.preventDefault();
    action();
  });
  useEffect(() => {
    const listener = (event: KeyboardEvent) => onKeyDown(event);
    document.addEventListener("keydown", listener);
    return () => document.removeEventListener("keydown", listener);
  }, []);
}

/** What a key press is called here: the key itself, or "mod+k"; undefined with any other modifier but Shift. */
export function shortcutOf(event: KeyboardEvent): string | undefined {
  if (!event.ctrlKey && !event.metaKey) return event.key;
  const isMod = IS_APPLE ? event.metaKey && !event.ctrlKey : event.ctrlKey && !event.metaKey;
  if (!isMod || event.shiftKey) return undefined;
  // Other scripts write another letter on the same key.
  const letter = /^[a-z]$/i.test(event.key) ? event.key : event.code.replace(/^Key/, "");
  return `mod+${letter.toLowerCase()}`;
}

/** Someone types there, or the element uses letter keys itself. */
function isTaken(target: EventTarget | null): boolean {
  return !(target instanceof Element) || isTyping(target) || target.closest(BUSY) !== null;
}

function isTyping(target: Element): boolean {
  if (target instanceof HTMLInputElement) return target.type !== "checkbox" && target.type !== "radio";
  return target instanceof HTMLTextAreaElement || target instanceof HTMLSelectElement || isEditable(target);
}

function isEditable(target: Element): boolean {
  return target instanceof HTMLElement && target.isContentEditable;
}
