import { type ReactNode, useEffect, useId, useRef, useState } from "react";
import { cn } from "@/lib/cn";
import { buttonStyle } from "@/ui/button-style";

type UntilFoundProps = {
  /** The button's label while the text is collapsed, and while it is expanded. */
  labels: { more: string; less: string };
  /** The subject, part of the button's accessible name. */
  subject: string;
  /** Shown before the button, on its line. */
  beside?: ReactNode;
  children: ReactNode;
};

/**
 * Collapsible text that find-in-page finds while it is collapsed. It is always part of the page: without JavaScript and in
 * print it is expanded (src/styles.css), and the button is hidden.
 */
export function UntilFound({ labels, subject, beside, children }: UntilFoundProps) {
  const id = useId();
  const region = useRef<HTMLDivElement>(null);
  const [isOpen, setOpen] = useState(false);
  // React treats `hidden` as a boolean; src/render-page.tsx writes the attribute's third value into the HTML.
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
