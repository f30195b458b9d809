import type { Finding } from "@server/contract/views";
import { CircleCheck } from "lucide-react";
import { useId } from "react";
import { messageOf } from "@/lib/user-message";
import { CountBadge } from "@/ui/count-badge";
import { Delayed } from "@/ui/delayed";
import { ErrorState } from "@/ui/error-state";
import { Skeleton } from "@/ui/skeleton";
import { FindingLines } from "./finding-lines";
import type { useFindings } from "./use-findings";

type FindingSectionProps = {
  query: ReturnType<typeof useFindings>;
  /** Which of them are shown here. */
  isShown?: (finding: Finding) => boolean;
  /** Among what else there is of the project. */
  isWithinProject?: boolean;
};

/** What does not fit together, for those who answer for it. A quiet list: it changes nothing, and goes by itself. */
export function FindingSection({ query, isShown = () => true, isWithinProject = false }: FindingSectionProps) {
  const headingId = useId();
  const { data, error, isPending, isFetching, refetch } = query;
  const findings = data?.filter(isShown);
  const Heading = isWithinProject ? "h3" : "h2";
  return (
    <section aria-labelledby={headingId}>
      <Heading id={headingId} className="mb-2 flex items-center gap-2 text-reading">
        Worth a look
        {findings && findings.length > 0 && <CountBadge count={findings.length} />}
      </Heading>
      <Delayed
        pending={isPending}
        label="Loading what may be worth a look"
        skeleton={<Skeleton className="h-[84px]" />}
      >
        {() => {
          if (!findings)
            return (
              <ErrorState
                message={messageOf(error)}
                busy={isFetching}
                onRetry={() => void refetch()}
                className="py-4"
              />
            );
          return findings.length === 0 ? (
            <NothingFound />
          ) : (
            <FindingLines findings={findings} isWithinProject={isWithinProject} />
          );
        }}
      </Delayed>
    </section>
  );
}

function NothingFound() {
  return (
    <p className="flex items-center gap-2 text-dense text-ink2">
      <CircleCheck size={18} className="shrink-0 text-ink3" />
      Nothing stands out.
    </p>
  );
}
