import { Inbox, type LucideIcon } from "lucide-react";
import type { ReactNode } from "react";
import { cn } from "@/lib/cn";

type EmptyStateProps = {
  /** The sentence that says there is nothing here. */
  message: string;
  icon?: LucideIcon | undefined;
  /** At most one that stands out. */
  action?: ReactNode;
  className?: string | undefined;
};

/** Nothing here, and that is no error. */
export function EmptyState({ message, icon: Icon = Inbox, action, className }: EmptyStateProps) {
  return (
    <div className={cn("flex flex-col items-center gap-3 px-4 py-12 text-center text-ink2", className)}>
      <Icon size={20} className="text-ink3" />
      <p>{message}</p>
      {action}
    </div>
  );
}
