import type { Request } from "@server/contract/views";
import { Link } from "@tanstack/react-router";
import { cn } from "@/lib/cn";
import { useIsDrawing } from "@/lib/drawing";
import { onTop } from "@/lib/layers";
import { Chip } from "@/ui/chip";
import { Moment } from "./moment";
import { describeTurn, STATUS_META, URGENCY_LABELS } from "./request-text";

type RequestListProps = {
  requests: readonly Request[];
  side: "firm" | "client";
  openId: string | undefined;
};

/** One line each, with its project, for the firm with its client, and how long it waits. */
export function RequestList({ requests, side, openId }: RequestListProps) {
  const isDrawing = useIsDrawing();
  return (
    <ul aria-label="Requests" className="grid grid-cols-[minmax(0,1fr)] gap-2">
      {requests.map((request) => {
        const { tone, icon, [side]: label } = STATUS_META[request.status];
        const turn = isDrawing ? null : describeTurn(request, side);
        return (
          <li key={request.id}>
            <Link
              to="."
              search={(kept: object) => ({ ...kept, request: request.id })}
              state={onTop}
              resetScroll={false}
              className={cn(
                "block rounded-card border bg-raised px-4 py-3 transition-colors duration-90 ease-out hover:bg-hover",
                request.id === openId ? "border-brand" : "border-line",
              )}
            >
              <span className="flex items-start justify-between gap-3">
                <bdi className="min-w-0 font-medium [overflow-wrap:anywhere]">{request.title}</bdi>
                <Chip tone={tone} icon={icon} label={label} />
              </span>
              <span className="mt-1 flex flex-wrap gap-x-2 text-dense text-ink2 [overflow-wrap:anywhere]">
                {side === "firm" && request.client && (
                  <>
                    <bdi>{request.client.name}</bdi>
                    <span aria-hidden="true">·</span>
                  </>
                )}
                <bdi>{request.project.title}</bdi>
                <span aria-hidden="true">·</span>
                <Moment at={request.createdAt} />
              </span>
              {turn && (
                <span className={`mt-1 block text-meta ${isLate(request, side) ? "text-orange" : "text-ink2"}`}>
                  {turn}
                  {request.urgency === "high" && ` · Urgency: ${URGENCY_LABELS.high}`}
                </span>
              )}
            </Link>
          </li>
        );
      })}
    </ul>
  );
}

/** Past the promised 24 hours; never said of the client. */
function isLate({ turn }: Request, side: "firm" | "client"): boolean {
  return side === "firm" && turn.owes === "firm" && turn.businessDays > 0;
}
