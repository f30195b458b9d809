import { cn } from "@/lib/cn";
import { formatCount } from "@/lib/format";

type CountBadgeProps = {
  count: number;
  /** What is drawn instead of the number: "1 pending" beside a total. */
  label?: string | undefined;
  /** "brand" for something that waits for the reader. */
  tone?: "grey" | "brand" | undefined;
  /** Draws the count by CSS: for the second badge of one name, as "Users 13 1" is not part of "Users, 13 people, 1 pending". */
  drawn?: boolean | undefined;
  className?: string | undefined;
};

/** A count in a pill, "99+" at most. Silent: say the count in the name of what it sits on, as `countedName` does. */
export function CountBadge({ count, label, tone = "grey", drawn = false, className }: CountBadgeProps) {
  return (
    <span
      aria-hidden="true"
      className={cn(
        "inline-grid h-5 min-w-5 place-items-center rounded-pill border border-transparent px-1.5 font-medium text-meta",
        tone === "brand" ? "bg-brand text-on-brand" : "bg-grey-soft text-grey",
        className,
      )}
    >
      {/* Visible text has to be part of the name (WCAG 2.5.3), and "99+" is not part of "111 projects". */}
      {drawn || count > 99 ? (
        <span data-count={label ?? formatCount(count)} className="after:content-[attr(data-count)]" />
      ) : (
        formatCount(count)
      )}
    </span>
  );
}

/** "To Do, 6 projects" for `aria-label`; nothing when there are no words for any count. */
export function countedName(label: string, ...countLabels: (string | undefined)[]): string | undefined {
  const known = countLabels.filter((one) => one !== undefined);
  return known.length === 0 ? undefined : [label, ...known].join(", ");
}
