import { type ReactNode, useId } from "react";
import { cn } from "@/lib/cn";
import { cardStyle } from "@/ui/card-style";

type SystemCardProps = {
  title: string;
  /** How it stands, in a sentence. */
  lead: ReactNode;
  /** The one number, and what it counts. */
  figure: string;
  figureLabel: string;
  /** At most one button. */
  action?: ReactNode;
  children?: ReactNode;
};

/** One thing that an admin looks after: a sentence, a number, an action, and below them what else there is to know. */
export function SystemCard({ title, lead, figure, figureLabel, action, children }: SystemCardProps) {
  const id = useId();
  return (
    <section aria-labelledby={id} className={`${cardStyle()} grid gap-4 sm:p-5`}>
      <div
        className={cn(
          "grid grid-cols-[minmax(0,1fr)_auto] items-start gap-x-6 gap-y-3",
          action && "sm:grid-cols-[minmax(0,1fr)_auto_auto]",
        )}
      >
        <div>
          <h2 id={id} className="text-h3">
            {title}
          </h2>
          <div className="mt-1 text-ink2 [overflow-wrap:anywhere]">{lead}</div>
        </div>
        <p className="flex flex-col items-end">
          <span className="font-medium text-h1 font-sans tracking-normal">{figure}</span>
          <span className="text-balance text-end text-ink3 text-meta max-sm:max-w-28">{figureLabel}</span>
        </p>
        {action && <div className="col-span-2 sm:col-span-1">{action}</div>}
      </div>
      {children}
    </section>
  );
}

export interface Fact {
  key: string;
  name: string;
  /** One to four, as many in each line of a list. */
  values: string[];
  /** What is wrong with it. */
  trouble?: string | undefined;
}

/** By how many values each line has, so that what belongs together stands below each other. */
const COLUMNS = [
  "",
  "sm:grid-cols-[minmax(0,1fr)_auto]",
  "sm:grid-cols-[minmax(0,1fr)_repeat(2,auto)]",
  "sm:grid-cols-[minmax(0,1fr)_repeat(3,auto)]",
  "sm:grid-cols-[minmax(0,1fr)_repeat(4,auto)]",
];

/** Lines of a card: a name, and what there is to say of it, in columns at the other end or on a phone below. */
export function FactList({ label, facts }: { label: string; facts: readonly Fact[] }) {
  return (
    <ul aria-label={label} className={cn("grid gap-x-6", COLUMNS[facts[0]?.values.length ?? 0])}>
      {facts.map(({ key, name, values, trouble }) => (
        <li
          key={key}
          className="col-span-full flex flex-wrap items-baseline justify-between gap-x-6 gap-y-0.5 border-line border-t py-2 last:pb-0 sm:grid sm:grid-cols-subgrid"
        >
          <span className="min-w-0 font-medium [overflow-wrap:anywhere]">{name}</span>
          <span className="flex flex-wrap gap-x-4 text-dense text-ink2 sm:contents">
            {values.map((value) => (
              <span key={value} className="sm:text-end sm:text-dense sm:text-ink2">
                {value}
              </span>
            ))}
          </span>
          {trouble && (
            <span className="col-span-full w-full text-dense text-red [overflow-wrap:anywhere]">{trouble}</span>
          )}
        </li>
      ))}
    </ul>
  );
}
