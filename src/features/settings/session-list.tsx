import type { SessionView } from "@server/contract/views";
import { CircleCheck, Globe, type LucideIcon, Monitor, Smartphone, Tablet } from "lucide-react";
import { useRef, useState } from "react";
import { flushSync } from "react-dom";
import { formatInstantLong } from "@/lib/format";
import { rowMark, useRowFocus } from "@/lib/use-row-focus";
import { messageOf } from "@/lib/user-message";
import { Button } from "@/ui/button";
import { Chip } from "@/ui/chip";
import { ConfirmDialog } from "@/ui/confirm-dialog";
import { Delayed } from "@/ui/delayed";
import { ErrorState } from "@/ui/error-state";
import { Skeleton } from "@/ui/skeleton";
import { type Device, deviceOf } from "./device";
import { useEndOtherSessions, useEndSession, type useSessions } from "./use-settings";

/** More are shown on request: people who never log out have many. */
const FIRST = 6;

const ICONS: Record<Device["kind"], LucideIcon> = {
  computer: Monitor,
  phone: Smartphone,
  tablet: Tablet,
  unknown: Globe,
};

/** The person's sessions, with actions to end them. */
export function SessionList({ query }: { query: ReturnType<typeof useSessions> }) {
  const { data, isPending, isFetching, error, refetch } = query;
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
  const list = useRef<HTMLUListElement>(null);
  useRowFocus(list, { rows: sessions, fallback: () => headingOf(list.current) });
  const shown = isWhole ? sessions : sessions.slice(0, FIRST);

  function showAll(): void {
    // The button disappears.
    flushSync(() => setWhole(true));
    list.current?.children[FIRST]?.querySelector("button")?.focus();
  }
  return (
    <>
      <ul ref={list} className="flex flex-col">
        {shown.map((session) => (
          <SessionRow key={session.id} session={session} />
        ))}
      </ul>
      <div className="mt-4 flex flex-wrap items-center gap-2 border-line border-t pt-4">
        <EndOthers hasOthers={others > 0} />
        {shown.length < sessions.length && (
          <Button variant="quiet" onClick={showAll}>
            Show all {sessions.length}
          </Button>
        )}
      </div>
    </>
  );
}

function SessionRow({ session }: { session: SessionView }) {
  const { label, kind } = deviceOf(session.userAgent);
  const Icon = ICONS[kind];
  const end = useEndSession();
  return (
    <li
      {...rowMark(session.id)}
      className="flex flex-wrap items-center gap-x-3.5 gap-y-2 border-line py-3 first:pt-0 last:pb-0 not-first:border-t"
    >
      <Icon size={20} className="shrink-0 text-ink2" />
      <div className="min-w-0 flex-1 basis-52">
        <p className="flex flex-wrap items-center gap-x-2.5 gap-y-1 font-medium">
          {label}
          {session.current && <Chip tone="green" icon={CircleCheck} label="This browser" />}
        </p>
        <p className="text-dense text-ink2 [overflow-wrap:anywhere]">
          {session.ipAddress || "Unknown address"}, since{" "}
          <time dateTime={session.createdAt}>{formatInstantLong(session.createdAt)}</time>
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
            End session<span className="sr-only"> in {label}</span>
          </span>
        </Button>
      )}
    </li>
  );
}

/** "End all other sessions", or a note that there are none. The dialog stays mounted to hand the focus on. */
function EndOthers({ hasOthers }: { hasOthers: boolean }) {
  const end = useEndOtherSessions();
  const [isAsking, setAsking] = useState(false);
  const box = useRef<HTMLDivElement>(null);
  return (
    <div ref={box}>
      {hasOthers ? (
        <Button variant="danger" className="-ms-3.5" onClick={() => setAsking(true)}>
          End all other sessions
        </Button>
      ) : (
        <p className="text-ink2">You are not logged in anywhere else.</p>
      )}
      <ConfirmDialog
        open={isAsking}
        onOpenChange={setAsking}
        title="End all other sessions"
        question="Every other browser is logged out at once. This one stays logged in."
        confirmLabel="End sessions"
        busyLabel="Ending..."
        busy={end.isPending}
        onConfirm={() => end.mutate(undefined, { onSettled: () => setAsking(false) })}
        // Once the others have ended, the button has gone.
        finalFocus={() => (hasOthers ? null : headingOf(box.current))}
      />
    </div>
  );
}

function headingOf(element: HTMLElement | null): HTMLElement | null {
  return element?.closest("section")?.querySelector("h2") ?? null;
}
