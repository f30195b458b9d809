import { cn } from "@/lib/cn";
import { Skeleton } from "@/ui/skeleton";

const PLACES = ["first", "second", "third", "fourth", "fifth", "sixth"] as const;

type CommitSkeletonsProps = {
  /** At most six. */
  count: number;
  /** The height of a commit whose title fits, and the lines around it. */
  className: string;
};

/** Commits that are waited for: a face, a title and a line under it each. */
export function CommitSkeletons({ count, className }: CommitSkeletonsProps) {
  return PLACES.slice(0, count).map((place) => (
    <div key={place} className={cn("flex gap-3.5", className)}>
      <Skeleton className="size-[34px] shrink-0 rounded-avatar" />
      <div className="flex-1">
        <Skeleton className="mt-0.5 h-4 w-2/5" />
        <Skeleton className="mt-2 h-3.5 w-1/3" />
      </div>
    </div>
  ));
}
