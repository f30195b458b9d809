import { OVERVIEW_MESSAGES } from "@server/contract/messages/overview";
import type { SinceLastVisit } from "@server/contract/views";
import { Link } from "@tanstack/react-router";
import { Check } from "lucide-react";
import { lazy, Suspense, useState } from "react";
import { useMe } from "@/features/auth/use-auth";
import { fromAddress, toAddress } from "@/features/overview/since-search";
import { useMarkSeen } from "@/features/overview/use-overview";
import { useIsDrawing } from "@/lib/drawing";
import { today as dayOf } from "@/lib/format";
import { onTop } from "@/lib/layers";
import { pageHeading } from "@/lib/page-focus";
import { useSearchChange } from "@/lib/use-page-search";
import { useToday } from "@/lib/use-today";
import { announce } from "@/ui/announce";
import { Button } from "@/ui/button";
import { describeSince, partsOf, type Side } from "./since-text";

const ChangesDialog = lazy(() =>
  import("@/features/overview/changes-dialog").then((module) => ({ default: module.ChangesDialog })),
);

/** "Since Tuesday: 3 tasks done, 2 messages", each part a link to exactly these. Gone once seen. */
export function SinceSentence({ news }: { news: SinceLastVisit }) {
  const side = useSide();
  const day = useToday();
  const isDrawing = useIsDrawing();
  const { mutate, isPending } = useMarkSeen();
  const since = new Date(news.since);
  const parts = partsOf(news, side);

  function seen(): void {
    pageHeading()?.focus();
    mutate({ upTo: news.upTo }, { onSuccess: () => announce(OVERVIEW_MESSAGES.seen) });
  }
  return (
    <>
      <p className="min-w-0 flex-1 text-dense text-ink2 sm:flex-initial">
        Since{" "}
        {describeSince(isDrawing ? null : since, {
          today: day,
          day: isDrawing ? news.since.slice(0, 10) : dayOf(since),
        })}
        :{" "}
        {parts.map(({ kind, text }, at) => (
          <span key={kind}>
            {at > 0 && ", "}
            <Link
              to="."
              search={(kept: object): object => ({ ...kept, since: toAddress({ kind, since: news.since }) })}
              state={onTop}
              resetScroll={false}
              className="whitespace-nowrap font-medium text-brand-text underline underline-offset-3"
            >
              {text}
            </Link>
          </span>
        ))}
      </p>
      <Button
        size="sm"
        variant="quiet"
        icon={<Check size={16} />}
        busy={isPending}
        onClick={seen}
        aria-label="Mark as seen"
        className="max-sm:w-11 max-sm:px-0 sm:ms-2"
      >
        <span className="max-sm:hidden">Mark as seen</span>
      </Button>
    </>
  );
}

/** The list that the address names, over the page. */
export function ChangesLayer({ address }: { address: string | undefined }) {
  const side = useSide();
  const { replace } = useSearchChange<{ since: undefined }>();
  const asked = fromAddress(address);
  // Stays while it closes.
  const [wasOpen, setWasOpen] = useState(asked !== undefined);
  if (asked && !wasOpen) setWasOpen(true);
  return (
    wasOpen && (
      <Suspense>
        <ChangesDialog asked={asked} side={side} onClose={() => replace({ since: undefined })} />
      </Suspense>
    )
  );
}

function useSide(): Side {
  return useMe().accountType === "client" ? "client" : "firm";
}
