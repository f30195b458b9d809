import { useLayoutEffect, useRef } from "react";

/**
 * The element that had the focus before a layer opened, also when the layer's code loaded later. The page's heading when that
 * element is gone.
 */
export function useOpener(isOpen: boolean): () => HTMLElement | null {
  const opener = useRef<Element | null>(null);
  // A layer takes the focus only after layout.
  useLayoutEffect(() => {
    if (isOpen) opener.current = document.activeElement;
  }, [isOpen]);
  return () =>
    opener.current instanceof HTMLElement && opener.current !== document.body && opener.current.isConnected
      ? opener.current
      : pageHeading();
}

/** Takes the focus when the element that opened a layer is gone. */
export function pageHeading(): HTMLElement | null {
  return document.querySelector<HTMLElement>("main h1");
}
