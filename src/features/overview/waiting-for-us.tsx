import { Suspense } from "react";
import { cn } from "@/lib/cn";
import { LoadFailure } from "@/ui/load-failure";
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
  const { data, isLoadingError, isFetching, refetch } = query;
  const count = data?.length ?? 0;
  if (isLoadingError) {
    return (
      <LoadFailure
        message="What is waiting for us could not be loaded."
        busy={isFetching}
        onRetry={() => void refetch()}
        className={className}
      />
    );
  }
  if (count === 0) {
    return showsEmpty && data ? (
      <p className={cn("text-dense text-ink2", className)}>Nothing is waiting for us.</p>
    ) : null;
  }
  const rows = Math.min(count, FIRST_WAITING) + (count > FIRST_WAITING ? 1 : 0);
  return (
    <section aria-label="Waiting for us" className={className} style={{ minHeight: `${HEAD_REM + rows * ROW_REM}rem` }}>
      <Suspense>{data && <WaitingList items={data} />}</Suspense>
    </section>
  );
}
