import type { SessionView } from "@server/contract/views";
import { CircleCheck, Globe, type LucideIcon, Monitor, Smartphone, Tablet } from "lucide-react";
import { useLayoutEffect, useRef, useState } from "react";
import { formatInstantLong } from "@/lib/format";
import { messageOf } from "@/lib/user-message";
import { Button } from "@/ui/button";
import { Chip } from "@/ui/chip";
import { ConfirmDialog } from "@/ui/confirm-dialog";
import { Delayed } from "@/ui/delayed";
import { ErrorState } from "@/ui/error-state";
import { Skeleton } from "@/ui/skeleton";
import { type Device, deviceOf } from "./device";
import { useEndOtherSessions, useEndSession, useSessions } from "./use-settings";

/** More than these are shown on request: who never logs out gathers many. */
const FIRST = 6;

const ICONS: Record<Device["kind"], LucideIcon> = {
  computer: Monitor,
  phone: Smartphone,
  tablet: Tablet,
  unknown: Globe,
};

/** Where one is logged in, and the ways to end it. */
export function SessionList() {
  const { data, isPending, isFetching, error, refetch } = useSessions();
  return (
    <Delayed pending={isPending} label="Loading sessions" skeleton={<Skeleton className="h-12 w-full" />}>
      {() =>
        data ? (
          <Sessions sessions={data} />
        ) : (
          <ErrorState message={messageOf(error)} busy={isFetching} onRetry={() => void refetch()} className="py-4" />
        )
      }
    </Delayed>
  );
}

function Sessions({ sessions }: { sessions: SessionView[] }) {
  const [isWhole, setWhole] = useState(false);
  const others = sessions.filter(({ current }) => !current).length;
  const shown = isWhole ? sessions : sessions.slice(0, FIRST);
  return (
    <>
      <ul className="flex flex-col">
        {shown.map((session) => (
          <SessionRow key={session.id} session={session} />
        ))}
      </ul>
      <div className="mt-4 flex flex-wrap items-center gap-2 border-line border-t pt-4">
        {others === 0 ? <p className="text-ink2">You are not logged in anywhere else.</p> : <EndOthers />}
        {shown.length < sessions.length && (
          <Button variant="quiet" onClick={() => setWhole(true)}>
            Show all {sessions.length}
          </Button>
        )}
      </div>
    </>
  );
}

function SessionRow({ session }: { session: SessionView }) {
  const { words, kind } = deviceOf(session.userAgent);
  const Icon = ICONS[kind];
  const end = useEndSession();
  const row = useRef<HTMLLIElement>(null);
  useLayoutEffect(() => {
    const element = row.current;
    return () => passFocusOn(element);
  }, []);
  return (
    <li
      ref={row}
      className="flex flex-wrap items-center gap-x-3.5 gap-y-2 border-line py-3 first:pt-0 last:pb-0 not-first:border-t"
    >
      <Icon aria-hidden="true" size={20} strokeWidth={1.75} className="shrink-0 text-ink2" />
      <div className="min-w-0 flex-1 basis-52">
        <p className="flex flex-wrap items-center gap-x-2.5 gap-y-1 font-medium">
          {words}
          {session.current && <Chip tone="green" icon={CircleCheck} label="This browser" />}
        </p>
        <p className="text-dense text-ink2 [overflow-wrap:anywhere]">
          {session.ipAddress ?? "Unknown address"}, since{" "}
          <time dateTime={session.createdAt.toISOString()}>{formatInstantLong(session.createdAt)}</time>
        </p>
      </div>
      {!session.current && (
        <Button
          size="sm"
          className="max-sm:ms-8.5"
          busy={end.isPending}
          busyLabel="Ending..."
          onClick={() => end.mutate({ sessionId: session.id })}
        >
          <span>
            End session<span className="sr-only"> in {words}</span>
          </span>
        </Button>
      )}
    </li>
  );
}

/** "End all other sessions", and its question. */
function EndOthers() {
  const end = useEndOtherSessions();
  const [isAsking, setAsking] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  return (
    <>
      <Button ref={button} variant="danger" className="-ms-3.5" onClick={() => setAsking(true)}>
        End all other sessions
      </Button>
      <ConfirmDialog
        open={isAsking}
        onOpenChange={setAsking}
        title="End all other sessions"
        question="Every other browser is logged out at once. This one stays logged in."
        confirmLabel="End sessions"
        busyLabel="Ending..."
        busy={end.isPending}
        onConfirm={() => end.mutate(undefined, { onSettled: () => setAsking(false) })}
        finalFocus={() => headingOf(button.current)}
      />
    </>
  );
}

/** A row that goes while it holds the focus gives it to the next one, else to the section's heading. */
function passFocusOn(row: HTMLElement | null): void {
  if (!row?.contains(document.activeElement)) return;
  const neighbour = row.nextElementSibling ?? row.previousElementSibling;
  (neighbour?.querySelector("button") ?? headingOf(row))?.focus();
}

function headingOf(element: HTMLElement | null): HTMLElement | null {
  return element?.closest("section")?.querySelector("h2") ?? null;
}
