import type { ReactNode } from "react";
import { cn } from "@/lib/cn";
import { useSteady } from "./steady";

type ComplaintProps = { id?: string; className: string; children: ReactNode };

/** What is wrong with what was typed or chosen, or why it was not saved. It never comes or goes while a pointer is pressed. */
export function Complaint({ id, className, children }: ComplaintProps) {
  const text = useSteady(children);
  return (
    text && (
      <p id={id} role="alert" className={cn("text-dense text-red", className)}>
        {text}
      </p>
    )
  );
}
