import { type FocusEvent, type KeyboardEvent, type PointerEvent, useEffect, useRef } from "react";

const OPEN_DELAY_MS = 400;
const GAP_PX = 8;

type Side = "top" | "right";
type TooltipOptions = {
  text: string;
  shortcut?: string | undefined;
  side?: Side | undefined;
  disabled?: boolean | undefined;
};

let bubble: HTMLDivElement | null = null;
let timer: ReturnType<typeof setTimeout> | undefined;

/**
 * Handlers that show `text` beside the element on hover and on keyboard focus. The bubble is one element for the whole
 * page and hidden from assistive technology: the control's own name must say the same. Escape hides it (WCAG 1.4.13).
 */
export function useTooltip({ text, shortcut, side = "top", disabled = false }: TooltipOptions) {
  const shown = useRef(false);
  useEffect(() => () => (shown.current ? hide() : undefined), []);

  function open(element: HTMLElement, delayMs: number): void {
    if (disabled) return;
    clearTimeout(timer);
    shown.current = true;
    timer = setTimeout(() => show(element, { text, shortcut, side }), delayMs);
  }
  function close(): void {
    shown.current = false;
    hide();
  }
  return {
    onPointerEnter(event: PointerEvent<HTMLElement>) {
      if (event.pointerType !== "touch") open(event.currentTarget, OPEN_DELAY_MS);
    },
    onPointerLeave: close,
    onPointerDown: close,
    onFocus(event: FocusEvent<HTMLElement>) {
      if (event.currentTarget.matches(":focus-visible")) open(event.currentTarget, 0);
    },
    onBlur: close,
    onKeyDown(event: KeyboardEvent<HTMLElement>) {
      if (event.key === "Escape") close();
    },
  };
}

function show(element: HTMLElement, { text, shortcut, side }: TooltipOptions): void {
  if (!element.isConnected) return;
  const box = bubbleElement();
  box.textContent = text;
  if (shortcut) {
    const key = document.createElement("kbd");
    key.className = "ms-2 font-sans opacity-70";
    key.textContent = shortcut;
    box.append(key);
  }
  box.showPopover?.();
  const at = element.getBoundingClientRect();
  const own = box.getBoundingClientRect();
  const left = side === "right" ? at.right + GAP_PX : at.left + at.width / 2 - own.width / 2;
  const above = at.top - own.height - GAP_PX;
  const top = side === "right" ? at.top + at.height / 2 - own.height / 2 : above < GAP_PX ? at.bottom + GAP_PX : above;
  const maxLeft = document.documentElement.clientWidth - own.width - GAP_PX;
  box.style.left = `${Math.max(GAP_PX, Math.min(left, maxLeft))}px`;
  box.style.top = `${top}px`;
}

function hide(): void {
  clearTimeout(timer);
  if (bubble?.matches(":popover-open")) bubble.hidePopover();
}

function bubbleElement(): HTMLDivElement {
  if (bubble?.isConnected) return bubble;
  bubble = document.createElement("div");
  bubble.popover = "manual";
  bubble.setAttribute("aria-hidden", "true");
  bubble.className =
    "pointer-events-none fixed m-0 rounded-control border border-transparent bg-ink px-2 py-1 text-meta text-canvas";
  document.body.append(bubble);
  return bubble;
}
