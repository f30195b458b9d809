import { HEALTH_LABELS, STATUS_UPDATE_MESSAGES } from "@server/contract/messages/status-updates";
import type { StatusUpdate } from "@server/contract/views";
import { CircleAlert, CircleCheck, CircleX } from "lucide-react";
import { type ReactNode, useState } from "react";
import { useIsDrawing } from "@/lib/drawing";
import { formatDate, formatDay } from "@/lib/format";
import { messageOf } from "@/lib/user-message";
import { Button } from "@/ui/button";
import { Chip } from "@/ui/chip";
import { Delayed } from "@/ui/delayed";
import { ErrorState } from "@/ui/error-state";
import { Skeleton } from "@/ui/skeleton";
import type { Tone } from "@/ui/tone";
import { useStatusUpdates } from "./use-status-updates";

const APPEARANCE: Record<StatusUpdate["health"], { tone: Tone; icon: typeof CircleCheck }> = {
  "on-track": { tone: "green", icon: CircleCheck },
  "at-risk": { tone: "orange", icon: CircleAlert },
  "off-track": { tone: "red", icon: CircleX },
};

type StatusUpdatesProps = {
  projectId: string;
  /** The client whose portal is shown; undefined for one's own pages. */
  asClientId?: string | undefined;
  /** What an empty list says. */
  empty: string;
};

/** The newest status update of a project, and the earlier ones where they are asked for. */
export function StatusUpdates({ projectId, asClientId, empty }: StatusUpdatesProps) {
  const { data, isPending, isFetching, error, refetch } = useStatusUpdates({ projectId, asClientId });
  return (
    <Delayed
      pending={data === undefined && isPending}
      label="Loading status updates"
      skeleton={<Skeleton className="h-16 w-full" />}
    >
      {() =>
        data ? (
          <Updates updates={data} empty={empty} />
        ) : (
          <ErrorState message={messageOf(error)} busy={isFetching} onRetry={() => void refetch()} className="py-4" />
        )
      }
    </Delayed>
  );
}

function Updates({ updates, empty }: { updates: readonly StatusUpdate[]; empty: string }) {
  const [isOpen, setOpen] = useState(false);
  const [newest, ...earlier] = updates;
  if (!newest) return <p className="text-ink2">{empty}</p>;
  return (
    <div className="grid gap-3">
      <Update update={newest} />
      {earlier.length > 0 && (
        <Button
          size="sm"
          variant="quiet"
          aria-expanded={isOpen}
          className="-ms-3 justify-self-start"
          onClick={() => setOpen(!isOpen)}
        >
          {isOpen ? "Hide earlier updates" : `Show earlier updates (${earlier.length})`}
        </Button>
      )}
      {isOpen && (
        <ol className="grid gap-4 border-line border-t pt-3">
          {earlier.map((update) => (
            <li key={update.id}>
              <Update update={update} />
            </li>
          ))}
        </ol>
      )}
    </div>
  );
}

function Update({ update: { health, text, author, sentAt } }: { update: StatusUpdate }): ReactNode {
  const isDrawing = useIsDrawing();
  return (
    <article className="grid gap-1.5">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <Chip {...APPEARANCE[health]} label={HEALTH_LABELS[health]} />
        <p className="text-dense text-ink2">
          <bdi>{author.name}</bdi>
          {", "}
          <time dateTime={sentAt}>{isDrawing ? formatDay(sentAt.slice(0, 10)) : formatDate(sentAt)}</time>
        </p>
      </div>
      <p dir="auto" className="max-w-[80ch] whitespace-pre-line [overflow-wrap:anywhere]">
        {text}
      </p>
    </article>
  );
}

/** The heading of the section in a client's portal. */
export function PortalStatusUpdates({ projectId, asClientId }: Pick<StatusUpdatesProps, "projectId" | "asClientId">) {
  return (
    <section className="mt-5">
      <h4 className="mb-2 font-medium font-sans text-dense text-ink2 tracking-normal">Status updates</h4>
      <StatusUpdates projectId={projectId} asClientId={asClientId} empty={STATUS_UPDATE_MESSAGES.emptyClient} />
    </section>
  );
}
