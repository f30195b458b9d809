import { type ReactNode, useEffect, useId, useRef, useState } from "react";
import { cn } from "@/lib/cn";
import { buttonStyle } from "@/ui/button-style";

type UntilFoundProps = {
  /** The button's label while the text is folded, and while it is not. */
  labels: { more: string; less: string };
  /** The subject, part of the button's accessible name. */
  subject: string;
  /** Shown before the button, on its line. */
  beside?: ReactNode;
  children: ReactNode;
};

/**
 * Text that unfolds, and that a search in the page finds while it is folded. The text stands in the page: without JavaScript
 * and on paper it is open (src/styles.css), and the button is gone.
 */
export function UntilFound({ labels, subject, beside, children }: UntilFoundProps) {
  const id = useId();
  const region = useRef<HTMLDivElement>(null);
  const [isOpen, setOpen] = useState(false);
  // React knows `hidden` as yes or no; the attribute has a third value, which src/render-page.tsx writes into the HTML.
  useEffect(() => {
    if (isOpen) region.current?.removeAttribute("hidden");
    else region.current?.setAttribute("hidden", "until-found");
  }, [isOpen]);
  useEffect(() => {
    const element = region.current;
    const open = () => setOpen(true);
    element?.addEventListener("beforematch", open);
    return () => element?.removeEventListener("beforematch", open);
  }, []);
  const label = isOpen ? labels.less : labels.more;
  return (
    <div>
      <div ref={region} id={id} hidden data-until-found>
        {children}
      </div>
      <div className="mt-4 flex flex-wrap gap-2 print:hidden">
        {beside}
        <button
          type="button"
          aria-expanded={isOpen}
          aria-controls={id}
          aria-label={`${label}, ${subject}`}
          onClick={() => setOpen(!isOpen)}
          className={cn(buttonStyle({ variant: beside ? "quiet" : "secondary" }), "noscript:hidden")}
        >
          {label}
        </button>
      </div>
    </div>
  );
}
