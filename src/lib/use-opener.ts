import { useLayoutEffect, useRef } from "react";
import { pageHeading } from "./page-focus";

const standIns = new WeakMap<Element, HTMLElement>();

/** Gives the focus to `standIn` where `opener` is gone when the layer that it opened closes: it was part of another layer. */
export function setStandIn(opener: Element, standIn: HTMLElement | null): void {
  if (standIn) standIns.set(opener, standIn);
}

/**
 * The element that had the focus before a layer opened, also when the layer's code loaded later. Its stand-in, or else the page's
 * heading, when that element is gone.
 */
export function useOpener(isOpen: boolean): () => HTMLElement | null {
  const opener = useRef<Element | null>(null);
  // A layer takes the focus only after layout.
  useLayoutEffect(() => {
    if (isOpen) opener.current = document.activeElement;
  }, [isOpen]);
  return () => {
    const standIn = opener.current && standIns.get(opener.current);
    return [opener.current, standIn].find(mayHaveFocus) ?? pageHeading();
  };
}

function mayHaveFocus(element: Element | null | undefined): element is HTMLElement {
  return element instanceof HTMLElement && element !== document.body && element.isConnected;
}
