import { useCallback, useRef } from "react";

/**
 * Focuses a form's title with the caret at its end. Without the form library, which focuses later, and not at all while fields
 * remount after a reset.
 */
export function useTitleFocus() {
  const element = useRef<HTMLFormElement>(null);
  const focusTitle = useCallback(() => {
    const title = element.current?.querySelector<HTMLInputElement>('input[name="title"]');
    title?.focus();
    title?.setSelectionRange(title.value.length, title.value.length);
  }, []);
  return { element, focusTitle };
}
