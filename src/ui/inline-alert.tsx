import { CircleAlert, CircleCheck, Clock } from "lucide-react";
import type { ReactNode } from "react";
import { cn } from "@/lib/cn";
import { TONE_FILL } from "./tone";

type InlineAlertProps = {
  /** red: something failed; orange: wait; green: it worked. */
  tone: "red" | "orange" | "green";
  children: ReactNode;
  className?: string | undefined;
};

const ICONS = { red: CircleAlert, orange: Clock, green: CircleCheck };

/** A message in its place in the page. Red and orange interrupt (role alert), green is polite (role status). */
export function InlineAlert({ tone, children, className }: InlineAlertProps) {
  const Icon = ICONS[tone];
  return (
    <div
      role={tone === "green" ? "status" : "alert"}
      className={cn(
        "flex items-start gap-2.5 rounded-control border border-transparent px-3 py-2.5 text-body",
        TONE_FILL[tone],
        className,
      )}
    >
      <Icon size={18} className="mt-px shrink-0" />
      <div className="min-w-0">{children}</div>
    </div>
  );
}
