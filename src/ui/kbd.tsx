import type { ReactNode } from "react";

/** The drawing of a key. Decorative: say the shortcut with `aria-keyshortcuts` on the control. */
export function Kbd({ children }: { children: ReactNode }) {
  return (
    <span
      aria-hidden="true"
      className="inline-grid h-[18px] min-w-[18px] place-items-center rounded-[5px] border border-line px-1 font-sans text-meta text-ink3"
    >
      {children}
    </span>
  );
}
