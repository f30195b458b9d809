import { Dialog as Base } from "@base-ui/react/dialog";
import { X } from "lucide-react";
import { type ReactNode, type RefObject, useRef } from "react";
import { cn } from "@/lib/cn";
import { IconButton } from "./icon-button";
import { useLast } from "./use-last";

/** Where focus goes: an element, or what the function finds at that moment; for null the usual place, for false nowhere. */
export type FocusTarget = RefObject<HTMLElement | null> | (() => HTMLElement | null | false);

type DialogProps = {
  open: boolean;
  /** Asked for by X, Escape or the backdrop. To refuse (unsaved input), leave `open` as it is. */
  onOpenChange: (open: boolean) => void;
  title: ReactNode;
  description?: ReactNode;
  /** Stays in view at the bottom. Its submit button names the form: `<Button type="submit" form={formId}>`. */
  footer?: ReactNode;
  /** 480, 640 or 880 px, full screen below 640; "sheet" rises from the bottom edge. */
  size?: "sm" | "md" | "lg" | "sheet" | undefined;
  /** The first field, or the title when there is none or the finger opened it, unless told. */
  initialFocus?: FocusTarget | undefined;
  /** What opened it, unless told. */
  finalFocus?: FocusTarget | undefined;
  children: ReactNode;
};

const FIELD = "input:not([type=hidden],:disabled),select:not(:disabled),textarea:not(:disabled)";

const SIZES = { sm: "sm:max-w-[480px]", md: "sm:max-w-[640px]", lg: "sm:max-w-[880px]", sheet: "sm:max-w-[480px]" };

/** A modal dialog. Header and footer stay, the body scrolls; the page behind does not. */
export function Dialog({ open, onOpenChange, size = "md", initialFocus, finalFocus, ...content }: DialogProps) {
  const { title, description, footer, children } = useLast(content, open);
  const isSheet = size === "sheet";
  const heading = useRef<HTMLHeadingElement>(null);
  const body = useRef<HTMLDivElement>(null);
  return (
    <Base.Root open={open} onOpenChange={(next) => onOpenChange(next)}>
      <Base.Portal>
        <DialogBackdrop />
        <Base.Viewport
          className={cn(
            "fixed inset-0 z-50 grid justify-items-center",
            isSheet ? "items-end" : "sm:items-center sm:p-6",
          )}
        >
          <Base.Popup
            initialFocus={(how) => {
              if (typeof initialFocus === "function") return initialFocus() ?? heading.current;
              // Of what is still loading there is no element yet.
              if (initialFocus) return initialFocus.current ?? heading.current;
              // On touch the first field would bring up the keyboard before anything was read.
              return (how === "touch" ? null : body.current?.querySelector<HTMLElement>(FIELD)) ?? heading.current;
            }}
            finalFocus={finalFocus}
            data-modal=""
            className={cn(
              "flex w-full min-w-0 flex-col overflow-hidden bg-surface text-ink shadow-3 outline-none",
              "transition-[opacity,translate,scale] duration-240 ease-out data-ending-style:duration-180",
              "data-ending-style:opacity-0 data-starting-style:opacity-0",
              isSheet
                ? "max-h-[88dvh] rounded-t-dialog pb-[env(safe-area-inset-bottom)] data-ending-style:translate-y-8 data-starting-style:translate-y-8"
                : "h-dvh sm:h-auto sm:max-h-[88dvh] sm:rounded-dialog data-ending-style:scale-98 data-starting-style:scale-98",
              SIZES[size],
            )}
          >
            <div className="flex shrink-0 items-start justify-between gap-3 px-4 pt-4 pb-3 sm:px-6 sm:pt-5">
              <div className="min-w-0 pt-1.5">
                <Base.Title ref={heading} tabIndex={-1} dir="auto" className="text-h3 [overflow-wrap:anywhere]">
                  {title}
                </Base.Title>
                {description && <Base.Description className="mt-1 text-body text-ink2">{description}</Base.Description>}
              </div>
              <Base.Close render={<IconButton icon={X} label="Dismiss" />} />
            </div>
            <div
              ref={body}
              className="min-h-0 flex-1 overflow-y-auto overscroll-contain px-4 pt-1 pb-5 [scroll-padding-block:24px] sm:px-6"
            >
              {children}
            </div>
            {footer && (
              <div className="flex shrink-0 flex-wrap items-center justify-end gap-2 border-line border-t px-4 py-3.5 sm:px-6">
                {footer}
              </div>
            )}
          </Base.Popup>
        </Base.Viewport>
      </Base.Portal>
    </Base.Root>
  );
}

/** What darkens the page behind a modal dialog. */
export function DialogBackdrop() {
  return (
    <Base.Backdrop
      // Also over another dialog, where the library leaves it out: what lies below would look as if it could be used.
      forceRender
      className={cn(
        "fixed inset-0 z-50 bg-scrim transition-opacity duration-240 ease-out",
        "data-ending-style:opacity-0 data-starting-style:opacity-0 data-ending-style:duration-180",
      )}
    />
  );
}
