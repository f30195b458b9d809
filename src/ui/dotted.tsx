import { Children, type ReactNode } from "react";
import { cn } from "@/lib/cn";

/** Short facts on a line with a dot between each two; none ends or begins a line when they wrap. */
export function Dotted({ className, children }: { className?: string; children: ReactNode }) {
  return (
    <span className="block overflow-hidden">
      <span className={cn("-ms-4 flex flex-wrap", className)}>
        {Children.toArray(children).map((child, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: they have no other name, and none moves.
          <span key={at} className="relative min-w-0 ps-4 [overflow-wrap:anywhere]">
            <span aria-hidden="true" className="absolute start-1.5">
              ·
            </span>
            {child}
          </span>
        ))}
      </span>
    </span>
  );
}
