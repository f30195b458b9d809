import { Dialog as Base } from "@base-ui/react/dialog";
import {
  type ComponentProps,
  createContext,
  type ReactNode,
  type RefObject,
  useContext,
  useEffect,
  useRef,
  useState,
} from "react";
import { afterPaint } from "@/lib/after-paint";
import { cn } from "@/lib/cn";
import { useMedia } from "@/lib/use-media";
import { useLast } from "./use-last";

type SidePanelProps = {
  open: boolean;
  /** Asked for by Escape, and below 1024 px by the backdrop. To refuse, leave `open` as it is. */
  onOpenChange: (open: boolean) => void;
  /** What the panel shows now: when it changes while open, the content is swapped and the title takes the focus. */
  contentKey: string;
  /** What takes the focus when it has closed; what opened it, for null or nothing. */
  finalFocus?: (() => HTMLElement | null) | undefined;
  /** 440 px and full width below 640, or 640 px and full width below 768. */
  size?: "md" | "lg" | undefined;
  /**
   * Another panel or a dialog lies over it: nothing in it can be reached. Two modal layers of which neither is in the other
   * would hide each other from screen readers when a window gets narrow, so that it is not modal meanwhile.
   */
  isCovered?: boolean | undefined;
  /** Holds one `SidePanelTitle`, and its own button to close. */
  children: ReactNode;
};

const TitleContext = createContext<RefObject<HTMLHeadingElement | null> | null>(null);

const SIZES = { md: "sm:w-[440px]", lg: "md:w-[640px]" };

/**
 * A panel on the right: beside the page at 1024 and up (not modal, the page stays usable), a modal sheet below. Focus starts on
 * its title.
 */
export function SidePanel({ open, onOpenChange, contentKey, finalFocus, children, ...look }: SidePanelProps) {
  const { size = "md", isCovered = false } = look;
  const beside = useMedia("(width >= 64rem)");
  const title = useRef<HTMLHeadingElement>(null);
  const shownKey = useRef<string | null>(null);
  const content = useLast(children, open);

  useEffect(() => {
    if (open && shownKey.current !== null && shownKey.current !== contentKey) title.current?.focus();
    shownKey.current = open ? contentKey : null;
  }, [open, contentKey]);

  const isInert = useAfterPaint(isCovered);
  const popup = useRef<HTMLDivElement>(null);
  useSeeThrough(popup, open && beside);

  return (
    <Base.Root
      open={open}
      modal={!beside && !isCovered}
      disablePointerDismissal={beside || isCovered}
      onOpenChange={(next, details) => {
        if (!next && details.reason === "escape-key" && isInAnotherLayer(details.event, popup.current))
          details.cancel();
        else onOpenChange(next);
      }}
    >
      <Base.Portal data-stays-tabbable={beside ? "" : undefined}>
        {!beside && (
          <Base.Backdrop
            className={cn(
              "fixed inset-0 z-40 bg-scrim transition-opacity duration-240 ease-out",
              "data-ending-style:opacity-0 data-starting-style:opacity-0 data-ending-style:duration-180",
            )}
          />
        )}
        <Base.Popup
          ref={popup}
          inert={isInert}
          onKeyDown={({ key, currentTarget }) => key === "Tab" && openEnd(currentTarget, beside)}
          initialFocus={title}
          finalFocus={() => (isElsewhere(document.activeElement, popup.current) ? false : (finalFocus?.() ?? null))}
          data-modal={beside ? undefined : ""}
          className={cn(
            "fixed inset-y-0 end-0 z-40 flex w-full flex-col scroll-pt-16 overflow-y-auto overscroll-contain bg-surface text-ink shadow-3 outline-none",
            SIZES[size],
            "transition-[opacity,translate] duration-240 ease-out data-ending-style:duration-180",
            // Below the page's bar, which stays usable beside it.
            beside && "top-[60px] rounded-ss-[14px] data-see-through:pointer-events-none data-see-through:opacity-15",
            "data-ending-style:translate-x-6 data-starting-style:translate-x-6 data-ending-style:opacity-0 data-starting-style:opacity-0",
          )}
        >
          <TitleContext value={title}>{content}</TitleContext>
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  );
}

/**
 * Becomes true after the next paint, false at once. For what everything in the panel inherits, which costs as much as drawing the
 * panel that lies over it: so that one is shown first, and what takes the focus when it closes can be reached by then.
 */
function useAfterPaint(isOn: boolean): boolean {
  const [isPainted, setPainted] = useState(false);
  useEffect(() => {
    if (!isOn) return undefined;
    const cancel = afterPaint(() => setPainted(true));
    return () => {
      cancel();
      setPainted(false);
    };
  }, [isOn]);
  return isOn && isPainted;
}

/**
 * The panel lies over a part of the page that stays usable: while the keyboard's focus is on something under it, or something
 * is being dragged, one sees and reaches through it.
 */
function useSeeThrough(popup: RefObject<HTMLElement | null>, isBeside: boolean): void {
  useEffect(() => {
    if (!isBeside) return undefined;
    const show = (isThrough: boolean) => popup.current?.toggleAttribute("data-see-through", isThrough);
    const onFocus = ({ target }: FocusEvent) => show(target instanceof Element && isUnder(target, popup.current));
    const onDrag = ({ target }: DragEvent) => show(target instanceof Node && !popup.current?.contains(target));
    const onDragEnd = () => show(false);
    document.addEventListener("focusin", onFocus);
    document.addEventListener("dragstart", onDrag);
    document.addEventListener("dragend", onDragEnd);
    return () => {
      document.removeEventListener("focusin", onFocus);
      document.removeEventListener("dragstart", onDrag);
      document.removeEventListener("dragend", onDragEnd);
    };
  }, [popup, isBeside]);
}

/**
 * Tab leaves the end of a panel beside the page, as the end of any page: Base UI's guard there would lead to its beginning. Called
 * at each Tab, which is handled later, since the guards come after the panel and change with the width.
 */
function openEnd(panel: HTMLElement, isBeside: boolean): void {
  const guard = panel.nextElementSibling;
  if (guard instanceof HTMLElement && guard.matches("[data-base-ui-focus-guard]")) guard.tabIndex = isBeside ? -1 : 0;
}

/** Whether the keyboard's focus on it would be hidden by the panel. */
function isUnder(target: Element, panel: HTMLElement | null): boolean {
  if (!panel || panel.contains(target) || target.closest("[data-base-ui-portal]") !== null) return false;
  if (!target.matches(":focus-visible")) return false;
  const { right, top, bottom } = target.getBoundingClientRect();
  const over = panel.getBoundingClientRect();
  return right > over.left && bottom > over.top && top < over.bottom;
}

/** Whether the focus has left the panel while that was closing: for a menu, a field or a dialog, which keeps it. */
function isElsewhere(focused: Element | null, panel: HTMLElement | null): boolean {
  if (focused === null || focused === document.body) return false;
  return !panel?.closest("[data-base-ui-portal]")?.contains(focused);
}

/** The panel's heading: names the panel and takes the focus when it opens. */
export function SidePanelTitle({ className, ...rest }: ComponentProps<"h2">) {
  const title = useContext(TitleContext);
  return <Base.Title {...rest} ref={title} tabIndex={-1} className={cn("text-h3", className)} />;
}

/** An Escape meant for a menu, a list or a dialog that is open on top, or for a field that has something to clear. */
function isInAnotherLayer(event: Event, panel: HTMLElement | null): boolean {
  if (event.defaultPrevented) return true;
  if (!(event.target instanceof Element)) return false;
  const layer = event.target.closest(
    '[role="menu"],[role="listbox"],[role="alertdialog"],[data-modal],[role="combobox"][aria-expanded="true"]',
  );
  // A narrow window's panel is modal itself.
  return layer !== null && layer !== panel;
}
