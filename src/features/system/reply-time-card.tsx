import type { ReplyTimes } from "@server/contract/views";
import { describeAge } from "@/features/turns/turn-text";
import { formatDay, plural } from "@/lib/format";
import { messageOf } from "@/lib/user-message";
import { ErrorState } from "@/ui/error-state";
import { Skeleton } from "@/ui/skeleton";
import { FactList, SystemCard } from "./system-card";
import { useReplyTimes } from "./use-system";

/** How long clients waited for the first answer to what they wrote, by month. */
export function ReplyTimeCard() {
  const { data, error, isPending, isFetching, refetch } = useReplyTimes();
  if (isPending) return <Skeleton className="h-40 rounded-card" />;
  if (!data)
    return (
      <ErrorState
        message={`Reply times could not be read. ${messageOf(error)}`}
        busy={isFetching}
        onRetry={() => void refetch()}
      />
    );
  const [newest, ...earlier] = data;
  return (
    <SystemCard
      title="Reply time"
      lead={
        !newest
          ? "No client has been answered yet."
          : "How long clients waited for the first answer to what they wrote, in business hours: half of them no longer than this."
      }
      figure={newest ? describeMedian(newest) : "none"}
      figureLabel={newest ? `median of ${describeMonth(newest)}, ${plural(newest.answers, "answer")}` : "median"}
    >
      {earlier.length > 0 && (
        <FactList
          label="Reply time of earlier months"
          facts={earlier.map((one) => ({
            key: one.month,
            name: describeMonth(one),
            values: [`median ${describeMedian(one)}`, plural(one.answers, "answer")],
          }))}
        />
      )}
    </SystemCard>
  );
}

function describeMedian({ medianMinutes, medianDays }: ReplyTimes): string {
  return describeAge({ businessMinutes: medianMinutes, businessDays: medianDays, clock: null }, null);
}

/** "Nov 2026" */
function describeMonth({ month }: ReplyTimes): string {
  return formatDay(`${month}-01`).slice("1 ".length);
}
