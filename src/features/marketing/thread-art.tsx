import { CircleCheck, CircleDashed, CircleDot } from "lucide-react";
import type { ReactNode } from "react";
import { cn } from "@/lib/cn";
import { Chip } from "@/ui/chip";
import { ProgressThread } from "@/ui/progress-thread";

/** The thread that runs through a piece of work, from To Do to Completed. Decorative. */
export function ThreadArt({ className }: { className?: string }) {
  return (
    <div aria-hidden="true" className={cn("relative aspect-[320/236] sm:aspect-[525/312]", className)}>
      <svg
        aria-hidden="true"
        viewBox="0 0 525 312"
        preserveAspectRatio="none"
        fill="none"
        className="absolute inset-0 size-full"
      >
        <path
          d="M2 283C45 272 62 225 81 182c27-60 49-97 81-114 38-20 73-13 104 27 30 40 49 87 76 124 33 47 98 63 139-20 16-32 28-52 42-78"
          className="stroke-brand"
          strokeWidth="4.5"
          strokeLinecap="round"
          vectorEffect="non-scaling-stroke"
        />
      </svg>
      <Card className="start-0 top-[55%]" title="Berth calendar" text="Konkan Ports">
        <Chip tone="grey" icon={CircleDashed} label="To Do" />
      </Card>
      <Card className="start-[31%] top-0" title="Payment retries">
        <Chip tone="green" icon={CircleDot} label="In Progress" />
      </Card>
      <Card className="end-0 top-[60%]" title="Gate day sheet" text="Live since Tuesday">
        <Chip tone="blue" icon={CircleCheck} label="Completed" />
      </Card>
    </div>
  );
}

type CardProps = { className: string; title: string; text?: string; children: ReactNode };

function Card({ className, title, text, children }: CardProps) {
  return (
    <div
      className={cn("absolute w-[47%] max-w-[188px] rounded-card bg-raised p-3 shadow-2 sm:w-[36%] sm:p-4", className)}
    >
      {children}
      <p className="mt-2 truncate font-semibold text-body">{title}</p>
      {text ? (
        <p className="mt-1 truncate text-ink2 text-meta">{text}</p>
      ) : (
        <ProgressThread done={5} total={8} hideLabel className="mt-3 pb-0.5" />
      )}
    </div>
  );
}
