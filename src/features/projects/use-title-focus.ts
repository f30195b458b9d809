import { useCallback, useRef } from "react";

/**
 * Puts the focus into a form's title, behind its last letter. Past the form library: it focuses a moment later, and not at all
 * while it waits for its fields to come back after a reset.
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
