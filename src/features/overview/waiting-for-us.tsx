import { Suspense } from "react";
import { cn } from "@/lib/cn";
import { LoadFailure } from "@/ui/load-failure";
import { useSteady } from "@/ui/steady";
import { WaitingList } from "./parts";
import { FIRST_WAITING, type useWaiting } from "./use-waiting";

const ROW_REM = 2.75;
const HEAD_REM = 5;

type WaitingForUsProps = {
  query: ReturnType<typeof useWaiting>;
  /** Where nothing waits, says so instead of not being there. */
  showsEmpty?: boolean;
  className: string;
};

/** "Waiting for us" on a start page, by age: only what takes up its room, as in `SinceLine`. */
export function WaitingForUs({ query, showsEmpty = false, className }: WaitingForUsProps) {
  const data = useSteady(query.data);
  if (!data) {
    return <LoadFailure query={query} message="What is waiting for us could not be loaded." className={className} />;
  }
  const count = data.length;
  if (count === 0) {
    return showsEmpty ? <p className={cn("text-dense text-ink2", className)}>Nothing is waiting for us.</p> : null;
  }
  const rows = Math.min(count, FIRST_WAITING) + (count > FIRST_WAITING ? 1 : 0);
  return (
    <section aria-label="Waiting for us" className={className} style={{ minHeight: `${HEAD_REM + rows * ROW_REM}rem` }}>
      <Suspense>
        <WaitingList items={data} />
      </Suspense>
    </section>
  );
}
