import { REQUEST_MESSAGES } from "@server/contract/messages/requests";
import type { Request } from "@server/contract/views";
import { useNavigate } from "@tanstack/react-router";
import { Lightbulb, Plus } from "lucide-react";
import { useRef } from "react";
import { useOverlays } from "@/features/projects/use-overlays";
import { cn } from "@/lib/cn";
import { pushed, without } from "@/lib/layers";
import { useNextFocus } from "@/lib/use-next-focus";
import { useSearchChange } from "@/lib/use-page-search";
import { Button } from "@/ui/button";
import { EmptyState } from "@/ui/empty-state";
import { PagedList } from "@/ui/paged-list";
import { Select } from "@/ui/select";
import { Skeleton } from "@/ui/skeleton";
import { useLast } from "@/ui/use-last";
import { NewRequest, useRequestableProjects } from "./new-request";
import { RequestDetail } from "./request-detail";
import { RequestList } from "./request-list";
import { STATUSES, type Status } from "./request-search";
import { STATUS_META } from "./request-text";
import { useRequestPages } from "./use-requests";

type RequestsPageProps = {
  /** Whose words it speaks; who may do what the server says. */
  side: "firm" | "client";
  /** The request that the address names. */
  openId: string | undefined;
  /** The status that the list shows, which the address names as well; undefined for all. */
  status: Status | undefined;
  /** The address opens the form for a new one. */
  isWriting?: boolean;
  /** The client as whom an admin looks: nothing can be sent, and the page has a heading above it. */
  asClientId?: string | undefined;
};

/** Requests, newest first, and the open one: beside the list at 1024 and up, in its place below. Design 3.13. */
export function RequestsPage({ side, openId, status, isWriting = false, asClientId }: RequestsPageProps) {
  const requests = useRequestPages({ ...(status && { status }), ...(asClientId && { asClientId }) });
  const navigate = useNavigate();
  const change = useSearchChange<{ requests: Status | undefined }>();
  const overlays = useOverlays();
  const Heading = asClientId === undefined ? "h1" : "h2";
  const projects = useRequestableProjects();
  const isOwn = side === "client" && asClientId === undefined;
  const mayWrite = isOwn && projects.length > 0;
  const line = useRef<HTMLAnchorElement>(null);
  const lastOpenId = useLast(openId, openId !== undefined);
  // "All requests" goes away with the open one.
  useNextFocus(openId !== undefined, line);
  const isNone = requests.items?.length === 0;
  const none = isOwn && !mayWrite ? REQUEST_MESSAGES.emptyOff : REQUEST_MESSAGES.empty;
  const write = () =>
    void navigate({
      ...toSearch({ writing: "request" }),
      state: ({ layers = {} }) => ({ layers: pushed(layers, "modal") }),
      ignoreBlocker: true,
    });
  /** In place of the form. */
  const show = ({ id }: Request) =>
    void navigate({
      ...toSearch({ request: id, writing: undefined }),
      state: ({ layers = {} }) => ({ layers: without(layers, "modal") }),
      replace: true,
      ignoreBlocker: true,
    });
  return (
    <>
      <div className="mb-4 flex min-h-11 flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <Heading tabIndex={-1} className="text-h1">
          Requests
        </Heading>
        <div className="flex flex-wrap gap-2">
          {(status || !isNone) && (
            <Select
              variant="button"
              aria-label="Status"
              value={status ?? ""}
              onChange={({ target }) => change.replace({ requests: STATUSES.find((one) => one === target.value) })}
            >
              <option value="">All</option>
              {STATUSES.map((one) => (
                <option key={one} value={one}>
                  {STATUS_META[one][side]}
                </option>
              ))}
            </Select>
          )}
          {mayWrite && (
            <Button variant={openId ? "secondary" : "primary"} icon={<Plus size={16} />} onClick={write}>
              New request
            </Button>
          )}
        </div>
      </div>
      <div className={cn("grid items-start gap-4", openId && "lg:grid-cols-[minmax(0,380px)_minmax(0,1fr)]")}>
        <div className={cn("min-w-0", openId && "max-lg:hidden")}>
          <PagedList
            list={requests}
            label="Loading requests"
            skeleton={<Skeleton className="h-60" />}
            empty={<EmptyState icon={Lightbulb} message={status ? REQUEST_MESSAGES.noneOfStatus : none} />}
          >
            {(items) => <RequestList {...{ side, openId, lastOpenId }} requests={items} lineRef={line} />}
          </PagedList>
        </div>
        {openId && <RequestDetail key={openId} requestId={openId} side={side} asClientId={asClientId} />}
      </div>
      {mayWrite && (
        <NewRequest
          open={isWriting}
          onClose={() => overlays.close("modal", { search: { writing: undefined } })}
          onCreated={show}
        />
      )}
    </>
  );
}

/** The same page with a changed address. */
function toSearch(changes: { request?: string; writing?: "request" | undefined }) {
  return { to: ".", search: (kept: object) => ({ ...kept, ...changes }), resetScroll: false } as const;
}
