import { useLayoutEffect, useRef } from "react";
import { pageHeading } from "@/lib/page-focus";
import { ErrorBox, type ErrorBoxProps } from "./error-box";

/**
 * The region that failed says so, once, and offers "Retry"; the rest of the page lives on. A retry may take it away at once: the heading
 * of its section, else of the page, then has the focus of its button. A dialog keeps the focus itself.
 */
export function ErrorState(props: ErrorBoxProps) {
  const box = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const region = box.current;
    return () => {
      if (!region?.contains(document.activeElement) || region.closest('[role$="dialog"]')) return;
      const heading = region.closest("section")?.querySelector<HTMLElement>("h2, h3") ?? pageHeading();
      if (!heading) return;
      heading.tabIndex = -1;
      heading.focus({ preventScroll: true });
    };
  }, []);
  return (
    <div ref={box} className="contents">
      <ErrorBox {...props} />
    </div>
  );
}
