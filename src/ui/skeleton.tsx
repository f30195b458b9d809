import { cn } from "@/lib/cn";

type SkeletonProps = { className?: string | undefined };

/** A grey block in the place of something that is coming; give it the exact size of the thing. */
export function Skeleton({ className }: SkeletonProps) {
  return <span aria-hidden="true" className={cn("block animate-breathe rounded-control bg-line/70", className)} />;
}
