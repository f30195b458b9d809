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
          <span className="text-ink3 text-meta">{figureLabel}</span>
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
  /** One or more, each kept on one line where there is room. */
  values: string[];
  /** What is wrong with it. */
  trouble?: string | undefined;
}

/** Lines of a card: a name, and what there is to say of it at the other end or below. */
export function FactList({ label, facts }: { label: string; facts: readonly Fact[] }) {
  return (
    <ul aria-label={label} className="flex flex-col">
      {facts.map(({ key, name, values, trouble }) => (
        <li
          key={key}
          className="flex flex-wrap items-baseline justify-between gap-x-6 gap-y-0.5 border-line border-t py-2 last:pb-0"
        >
          <span className="min-w-0 font-medium [overflow-wrap:anywhere]">{name}</span>
          <span className="flex flex-wrap gap-x-4 text-dense text-ink2">
            {values.map((value) => (
              <span key={value}>{value}</span>
            ))}
          </span>
          {trouble && <span className="w-full text-dense text-red [overflow-wrap:anywhere]">{trouble}</span>}
        </li>
      ))}
    </ul>
  );
}
