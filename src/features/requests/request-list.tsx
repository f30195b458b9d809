import type { Request } from "@server/contract/views";
import { Link } from "@tanstack/react-router";
import type { Ref } from "react";
import { TurnChip } from "@/features/turns/turn-chip";
import { cn } from "@/lib/cn";
import { onTop } from "@/lib/layers";
import { Chip } from "@/ui/chip";
import { Dotted } from "@/ui/dotted";
import { Moment } from "@/ui/moment";
import { STATUS_META, turnReader, URGENCY_LABELS } from "./request-text";

type RequestListProps = {
  requests: readonly Request[];
  side: "firm" | "client";
  openId: string | undefined;
  /** The one that is open or was open last, whose line `lineRef` holds. */
  lastOpenId: string | undefined;
  lineRef: Ref<HTMLAnchorElement>;
};

/** One line each, with its project, for the firm with its client, and how long it waits. */
export function RequestList({ requests, side, openId, lastOpenId, lineRef }: RequestListProps) {
  return (
    <ul aria-label="Requests" className="grid grid-cols-[minmax(0,1fr)] gap-2">
      {requests.map((request) => {
        const { tone, icon, [side]: label } = STATUS_META[request.status];
        return (
          <li key={request.id}>
            <Link
              ref={request.id === lastOpenId ? lineRef : undefined}
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
              <Dotted className="mt-1 text-dense text-ink2">
                {side === "firm" && request.client && <bdi>{request.client.name}</bdi>}
                <bdi>{request.project.title}</bdi>
                <Moment at={request.createdAt} />
              </Dotted>
              <span className="mt-2 flex flex-wrap items-center gap-x-2 text-ink2 text-meta empty:hidden">
                <TurnChip turn={request.turn} reader={turnReader(request, side)} />
                {request.turn.owes !== "nobody" && request.urgency === "high" && `Urgency: ${URGENCY_LABELS.high}`}
              </span>
            </Link>
          </li>
        );
      })}
    </ul>
  );
}
