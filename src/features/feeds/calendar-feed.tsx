import { useRef, useState } from "react";
import { formatInstantLong } from "@/lib/format";
import { messageOf } from "@/lib/user-message";
import { Button } from "@/ui/button";
import { ConfirmDialog } from "@/ui/confirm-dialog";
import { Delayed } from "@/ui/delayed";
import { ErrorState } from "@/ui/error-state";
import { InlineAlert } from "@/ui/inline-alert";
import { Skeleton } from "@/ui/skeleton";
import { toast } from "@/ui/toast";
import { useCalendarFeed, useCreateCalendar, useRevokeCalendar } from "./use-calendar-feed";

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
  const [isAsked, setAsked] = useState(false);
  const createButton = useRef<HTMLButtonElement>(null);
  const url = createdAt === null ? undefined : create.data?.url;
  return (
    <div className="grid gap-4">
      <p className="text-ink2">
        {createdAt === null ? (
          "Your calendar has no address."
        ) : (
          <>
            There is an address since <time dateTime={createdAt}>{formatInstantLong(createdAt)}</time>. Whoever knows it
            can read your due dates.
          </>
        )}
      </p>
      {url !== undefined && <NewAddress url={url} />}
      <div className="flex flex-wrap gap-2">
        <Button ref={createButton} busy={create.isPending} busyLabel="Creating..." onClick={() => create.mutate()}>
          {createdAt === null ? "Create address" : "Create new address"}
        </Button>
        {createdAt !== null && (
          <Button variant="danger" onClick={() => setAsked(true)}>
            Revoke
          </Button>
        )}
      </div>
      <ConfirmDialog
        open={isAsked}
        onOpenChange={setAsked}
        title="Revoke calendar address"
        question="Calendar programs that use this address get nothing any more. This can't be undone."
        confirmLabel="Revoke"
        busyLabel="Revoking..."
        busy={revoke.isPending}
        onConfirm={() => revoke.mutate(undefined, { onSettled: () => setAsked(false) })}
        finalFocus={createButton}
      />
    </div>
  );
}

function NewAddress({ url }: { url: string }) {
  const field = useRef<HTMLInputElement>(null);
  async function copy(): Promise<void> {
    try {
      await navigator.clipboard.writeText(url);
      toast.success("Address copied");
    } catch {
      field.current?.select();
      toast.error("The address could not be copied.", { description: "It is selected. Copy it with your keyboard." });
    }
  }
  return (
    <div className="grid gap-3 rounded-control bg-sunken p-4">
      <InlineAlert tone="green">
        Copy the address now and add it to your calendar program. You won't see it again.
      </InlineAlert>
      <label className="grid gap-1.5">
        <span className="font-medium text-dense">Calendar address</span>
        <input
          ref={field}
          readOnly
          value={url}
          spellCheck={false}
          onFocus={({ target }) => target.select()}
          className="h-11 w-full min-w-0 rounded-control border border-line-strong bg-surface px-3 font-mono text-reading sm:text-dense"
        />
      </label>
      <Button className="justify-self-start" onClick={() => void copy()}>
        Copy
      </Button>
    </div>
  );
}
