import { type MouseEvent, useState } from "react";

/**
 * Runs `work` once what is already pending has been painted, so that a press is seen before its costly part begins. A page in
 * the background paints nothing: there it runs at once. Returns a function that cancels it.
 */
export function afterPaint(work: () => void): () => void {
  if (document.hidden) {
    work();
    return () => {};
  }
  let timer: ReturnType<typeof setTimeout> | undefined;
  // A frame's callbacks run before it is painted, a timer set by them after it.
  const frame = requestAnimationFrame(() => {
    timer = setTimeout(work);
  });
  return () => {
    cancelAnimationFrame(frame);
    clearTimeout(timer);
  };
}

/**
 * For a link whose target takes long to render: `data-pressed` marks it within the click, `open` follows after the next paint.
 * With a modifier key or another button the browser opens the address.
 */
export function useLinkPress(open: () => void) {
  const [isPressed, setPressed] = useState(false);
  function onClick(event: MouseEvent): void {
    if (!isPlainClick(event)) return;
    setPressed(true);
    afterPaint(() => {
      open();
      setPressed(false);
    });
  }
  return { onClick, "data-pressed": isPressed ? "" : undefined };
}

/** A click that the app handles, and not the browser. */
export function isPlainClick(event: MouseEvent): boolean {
  if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return false;
  event.preventDefault();
  return true;
}
