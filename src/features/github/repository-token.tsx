import type { TokenResult } from "@db/enums";
import { GITHUB_MESSAGES } from "@server/contract/messages/github";
import { PROJECT_MESSAGES } from "@server/contract/messages/projects";
import type { TokenStatus } from "@server/contract/views";
import { CircleCheck, CircleX, Clock } from "lucide-react";
import { Fragment, type ReactNode, useEffect, useRef, useState } from "react";
import { cn } from "@/lib/cn";
import { formatInstant, formatInstantLong } from "@/lib/format";
import { mayTakeFocus } from "@/lib/page-focus";
import { messageOf } from "@/lib/user-message";
import { Button } from "@/ui/button";
import { Chip } from "@/ui/chip";
import { ConfirmDialog } from "@/ui/confirm-dialog";
import { Delayed } from "@/ui/delayed";
import { ErrorState } from "@/ui/error-state";
import { InlineAlert } from "@/ui/inline-alert";
import { Skeleton } from "@/ui/skeleton";
import { Steady } from "@/ui/steady";
import { TokenForm } from "./token-form";
import { useRemoveToken, useTokenStatus } from "./use-token";

type RepositoryTokenProps = {
  /** Must be stable between renders. */
  onDirtyChange: (isDirty: boolean) => void;
};

/** The status of the organisation's token, and forms to set, replace and remove it. The token itself is never shown. */
export function RepositoryToken({ onDirtyChange }: RepositoryTokenProps) {
  const { data, error, isPending, isFetching, refetch } = useTokenStatus();
  return (
    <Delayed pending={isPending} label="Loading the repository token" skeleton={<Skeleton className="h-28 w-full" />}>
      {() =>
        data ? (
          <Token status={data} onDirtyChange={onDirtyChange} />
        ) : (
          <ErrorState message={messageOf(error)} busy={isFetching} onRetry={() => void refetch()} className="py-4" />
        )
      }
    </Delayed>
  );
}

function Token({ status, onDirtyChange }: RepositoryTokenProps & { status: TokenStatus }) {
  const { configured, lastResult } = status;
  const [isChanging, setChanging] = useState(false);
  const [isAsking, setAsking] = useState(false);
  const remove = useRemoveToken();
  const box = useRef<HTMLDivElement>(null);
  const isClosing = useRef(false);
  const changeButton = useRef<HTMLButtonElement>(null);
  const removeButton = useRef<HTMLButtonElement>(null);

  function close(): void {
    setChanging(false);
    isClosing.current = true;
  }
  // The button appears once the response has arrived and the form has closed, in either order.
  useEffect(() => {
    if (!isClosing.current || !changeButton.current) return;
    isClosing.current = false;
    // The form took the focus with it; someone who went on to another field keeps it there.
    if (mayTakeFocus(box.current)) changeButton.current.focus();
  });
  return (
    <div ref={box} className="grid gap-4">
      {configured ? (
        <>
          <Steady>
            {lastResult === "unreadable" && <InlineAlert tone="orange">{GITHUB_MESSAGES.tokenUnreadable}</InlineAlert>}
            {lastResult === "refused" && (
              <InlineAlert tone="red">{GITHUB_MESSAGES.tokenRefused} Please enter another one.</InlineAlert>
            )}
          </Steady>
          <StatusFacts status={status} />
        </>
      ) : (
        <p className="text-ink2">No token is set. Only public repositories are read.</p>
      )}
      {configured && !isChanging ? (
        <div className="flex flex-wrap items-center gap-2 border-line border-t pt-4">
          <Button ref={changeButton} onClick={() => setChanging(true)}>
            Change Token
          </Button>
          <Button ref={removeButton} variant="danger" onClick={() => setAsking(true)}>
            Remove Token
          </Button>
        </div>
      ) : (
        <div className={configured ? "border-line border-t pt-4" : undefined}>
          <TokenForm
            status={status}
            takesFocus={isChanging}
            onDirtyChange={onDirtyChange}
            onSend={() => setChanging(true)}
            onSaved={close}
            onCancel={configured ? close : undefined}
          />
        </div>
      )}
      <ConfirmDialog
        open={isAsking}
        onOpenChange={setAsking}
        title="Remove Token"
        question={GITHUB_MESSAGES.confirmRemoveToken}
        confirmLabel="Remove"
        busyLabel="Removing..."
        busy={remove.isPending}
        onConfirm={() => remove.mutate(undefined, { onSettled: () => setAsking(false) })}
        // The button is removed with the token.
        finalFocus={() => removeButton.current ?? box.current?.closest("section")?.querySelector("h2") ?? null}
      />
    </div>
  );
}

function StatusFacts({
  status: { lastFour, owners, setBy, setAt, lastResult, lastResultAt },
}: {
  status: TokenStatus;
}) {
  return (
    <dl className="grid gap-x-6 gap-y-4 sm:grid-cols-2">
      <Fact label="Token">
        <span className="sr-only">ending in </span>
        <span aria-hidden="true" className="text-ink3">
          ••••••••
        </span>
        <code>{lastFour}</code>
      </Fact>
      <Fact label="Last result">
        <span className="flex flex-wrap items-center gap-x-2.5 gap-y-1">
          <Chip {...RESULT_META[lastResult ?? "unused"]} />
          {lastResultAt && (
            <time dateTime={lastResultAt} title={formatInstantLong(lastResultAt)} className="text-ink2">
              {formatInstant(lastResultAt)}
            </time>
          )}
        </span>
      </Fact>
      <Fact label="Used for" className="sm:col-span-2">
        {owners.map((owner, at) => (
          <Fragment key={owner}>
            {at > 0 && " "}
            <code className="me-1 inline-block max-w-full">
              {owner}
              {at < owners.length - 1 && ","}
            </code>
          </Fragment>
        ))}
      </Fact>
      {setAt && (
        <Fact label="Set by" className="sm:col-span-2">
          <bdi>{setBy?.name ?? PROJECT_MESSAGES.unknownUser}</bdi>,{" "}
          <time dateTime={setAt}>{formatInstantLong(setAt)}</time>
        </Fact>
      )}
    </dl>
  );
}

const RESULT_META = {
  accepted: { tone: "green", icon: CircleCheck, label: "Accepted" },
  refused: { tone: "red", icon: CircleX, label: "Refused" },
  unreadable: { tone: "orange", icon: CircleX, label: "Unreadable" },
  unused: { tone: "grey", icon: Clock, label: "Not used yet" },
} as const satisfies Record<TokenResult | "unused", object>;

function Fact({ label, children, className }: { label: string; children: ReactNode; className?: string }) {
  return (
    <div className={cn("min-w-0", className)}>
      <dt className="text-ink3 text-meta">{label}</dt>
      <dd className="mt-1 [overflow-wrap:anywhere]">{children}</dd>
    </div>
  );
}
