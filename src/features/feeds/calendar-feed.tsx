import { useRef, useState } from "react";
import { formatInstantLong } from "@/lib/format";
import { messageOf } from "@/lib/user-message";
import { Button } from "@/ui/button";
import { ConfirmDialog } from "@/ui/confirm-dialog";
import { Delayed } from "@/ui/delayed";
import { ErrorState } from "@/ui/error-state";
import { ShownOnce } from "@/ui/shown-once";
import { Skeleton } from "@/ui/skeleton";
import { useCalendarFeed, useCreateCalendar, useRevokeCalendar } from "./use-calendar-feed";

const ENDS = "Calendar apps that use the current address stop getting updates. This can't be undone.";

/** The private address of one's due dates: made, shown once, revoked. */
export function CalendarFeed() {
  const { data, isPending, isFetching, error, refetch } = useCalendarFeed();
  return (
    <Delayed pending={isPending} label="Loading the calendar address" skeleton={<Skeleton className="h-12 w-full" />}>
      {() =>
        data ? (
          <Address createdAt={data.createdAt} />
        ) : (
          <ErrorState message={messageOf(error)} busy={isFetching} onRetry={() => void refetch()} className="py-4" />
        )
      }
    </Delayed>
  );
}

function Address({ createdAt }: { createdAt: string | null }) {
  const create = useCreateCalendar();
  const revoke = useRevokeCalendar();
  const [asked, setAsked] = useState<"replace" | "revoke" | null>(null);
  const createButton = useRef<HTMLButtonElement>(null);
  // Made or revoked elsewhere since, the address of this page is dead.
  const url = create.data?.createdAt === createdAt ? create.data?.url : undefined;
  return (
    <div className="grid gap-4">
      <p className="text-ink2">
        {createdAt === null ? (
          "You have no calendar address yet."
        ) : (
          <>
            Address created on <time dateTime={createdAt}>{formatInstantLong(createdAt)}</time>. Anyone who has it can
            read your due dates.
          </>
        )}
      </p>
      {url !== undefined && (
        <ShownOnce
          key={url}
          notice="Copy the address now and add it to your calendar app. You won't see it again."
          label="Calendar address"
          value={url}
          name="Calendar address"
        />
      )}
      <div className="flex flex-wrap gap-2">
        <Button
          ref={createButton}
          busy={create.isPending}
          busyLabel="Creating..."
          className="max-sm:flex-1"
          onClick={() => (createdAt === null ? create.mutate() : setAsked("replace"))}
        >
          {createdAt === null ? "Create Address" : "Create New Address"}
        </Button>
        {createdAt !== null && (
          <Button variant="danger" onClick={() => setAsked("revoke")}>
            Revoke
          </Button>
        )}
      </div>
      <ConfirmDialog
        open={asked === "revoke"}
        onOpenChange={() => setAsked(null)}
        title="Revoke calendar address"
        question={ENDS}
        confirmLabel="Revoke"
        busyLabel="Revoking..."
        busy={revoke.isPending}
        onConfirm={() => revoke.mutate(undefined, { onSettled: () => setAsked(null) })}
        finalFocus={createButton}
      />
      <ConfirmDialog
        open={asked === "replace"}
        onOpenChange={() => setAsked(null)}
        title="Create new address"
        question={ENDS}
        confirmLabel="Create"
        busyLabel="Creating..."
        busy={create.isPending}
        onConfirm={() => create.mutate(undefined, { onSettled: () => setAsked(null) })}
        // The new address takes the focus.
        finalFocus={() => !create.isSuccess && createButton.current}
      />
    </div>
  );
}
