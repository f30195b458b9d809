import { cn } from "@/lib/cn";

type BrandMarkProps = { className?: string };

/** The thread: a marigold line that arrives at a point. Decorative, so put the name beside it. */
export function BrandMark({ className }: BrandMarkProps) {
  return (
    <svg viewBox="0 0 22 14" fill="none" aria-hidden="true" className={cn("h-3.5 w-[22px] shrink-0", className)}>
      <path
        d="M1.7 12.3c3.7 0 3.9-10.6 7.3-10.6s3.8 10.6 7.2 10.6c1.7 0 2.7-1.1 3.1-2.7"
        className="stroke-brand"
        strokeWidth="3"
        strokeLinecap="round"
      />
      <circle cx="19.4" cy="7.4" r="2.45" className="fill-ink" />
    </svg>
  );
}
