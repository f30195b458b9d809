import { CircleAlert, CircleCheck, X } from "lucide-react";
import { type KeyboardEvent, useEffect } from "react";
import { createPortal } from "react-dom";
import { Toaster as Sonner, toast as sonner } from "sonner";
import { cn } from "@/lib/cn";
import { useMedia } from "@/lib/use-media";
import { takeToasts } from "./toast";

const SUCCESS_MS = 5_000;
/** Below the bar of a conversation: whom one writes to stays readable. */
const BELOW_BAR_PX = 52;

/**
 * The toasts: bottom right at 1024 and up, top centre below (never over a bottom bar). Alt+T goes to them. They stand in
 * the body, over every layer: what is in #root lies below open dialogs and is hidden by them from assistive technology,
 * which spare Sonner's own [aria-live] element. Where they make room for a panel or a dialog: styles.css.
 */
export function Toaster() {
  const isWide = useMedia("(width >= 64rem)");
  // Runs after the effects of Sonner, which listens from its own effect on.
  useEffect(
    () =>
      takeToasts(
        (kind, title, { description, atTop }) => {
          const position = atTop ? { position: "top-center" as const } : {};
          return kind === "success"
            ? sonner.success(title, { description, duration: SUCCESS_MS, ...position })
            : sonner.error(title, { description, duration: Number.POSITIVE_INFINITY, ...position });
        },
        (id) => void sonner.dismiss(id),
      ),
    [],
  );
  return createPortal(
    <div onKeyDownCapture={closeFocused}>
      <Sonner
        position={isWide ? "bottom-right" : "top-center"}
        closeButton
        style={{ fontFamily: "inherit" }}
        expand
        visibleToasts={3}
        gap={10}
        offset={{ top: BELOW_BAR_PX, bottom: 24, left: 24, right: 24 }}
        mobileOffset={{ top: BELOW_BAR_PX, bottom: 12, left: 12, right: 12 }}
        icons={{
          success: <CircleCheck size={18} className="text-green" />,
          error: <CircleAlert size={18} className="text-red" />,
          close: <X size={16} />,
        }}
        toastOptions={{
          unstyled: true,
          closeButtonAriaLabel: "Close",
          classNames: {
            toast: cn(
              "flex w-full items-start gap-2.5 rounded-card bg-raised py-3 ps-3.5 pe-2 text-body text-ink shadow-2",
              "lg:w-[380px]",
            ),
            icon: "mt-0.5 shrink-0",
            content: "min-w-0 flex-1 py-px",
            title: "font-medium",
            description: "mt-0.5 text-dense text-ink2",
            closeButton:
              "order-last -my-1 inline-grid size-8 shrink-0 place-items-center rounded-control text-ink2 hover:bg-hover hover:text-ink",
          },
        }}
      />
    </div>,
    document.body,
  );
}

/** Escape closes the toast that has the focus, and not the dialog under it. */
function closeFocused(event: KeyboardEvent): void {
  if (event.key !== "Escape" || !(event.target instanceof Element)) return;
  event.stopPropagation();
  const focused =
    event.target.closest("[data-sonner-toast]") ?? event.currentTarget.querySelector("[data-sonner-toast]");
  focused?.querySelector<HTMLElement>("[data-close-button]")?.click();
}
