import type { ApiKeyView, CreatedApiKey } from "@server/contract/views";
import { Eye, KeyRound, PenLine } from "lucide-react";
import { useRef, useState } from "react";
import { flushSync } from "react-dom";
import { formatInstantInText, formatInstantLong } from "@/lib/format";
import { rowMark, useRowFocus } from "@/lib/use-row-focus";
import { messageOf } from "@/lib/user-message";
import { Button } from "@/ui/button";
import { Chip } from "@/ui/chip";
import { ConfirmDialog } from "@/ui/confirm-dialog";
import { Delayed } from "@/ui/delayed";
import { ErrorState } from "@/ui/error-state";
import { ShownOnce } from "@/ui/shown-once";
import { Skeleton } from "@/ui/skeleton";
import { ApiKeyForm, SCOPE_LABELS } from "./api-key-form";
import { useApiKeys, useRevokeApiKey } from "./use-api-keys";

/** The person's API keys, with actions to create and revoke them. */
export function ApiKeyList() {
  const { data, isPending, isFetching, error, refetch } = useApiKeys();
  return (
    <Delayed
      pending={isPending && data === undefined}
      label="Loading API keys"
      skeleton={<Skeleton className="h-12 w-full" />}
    >
      {() =>
        data ? (
          <ApiKeys keys={data} />
        ) : (
          <ErrorState message={messageOf(error)} busy={isFetching} onRetry={() => void refetch()} className="py-4" />
        )
      }
    </Delayed>
  );
}

function ApiKeys({ keys }: { keys: ApiKeyView[] }) {
  const [isMaking, setMaking] = useState(false);
  const [made, setMade] = useState<CreatedApiKey | null>(null);
  const [asked, setAsked] = useState<ApiKeyView | null>(null);
  const revoke = useRevokeApiKey();
  const box = useRef<HTMLDivElement>(null);
  const focusTarget = useRowFocus(box, {
    rows: keys,
    fallback: () => box.current?.closest("section")?.querySelector("h2"),
  });
  const makeButton = useRef<HTMLButtonElement>(null);

  function close(): void {
    flushSync(() => {
      setMaking(false);
      setMade(null);
    });
    makeButton.current?.focus();
  }
  return (
    <div ref={box} className="grid gap-4">
      {keys.length === 0 && !isMaking && !made && <p className="text-ink2">You have no API keys.</p>}
      {keys.length > 0 && (
        <ul aria-label="API keys" className="flex flex-col">
          {keys.map((key) => (
            <ApiKeyRow key={key.id} apiKey={key} onRevoke={() => setAsked(key)} />
          ))}
        </ul>
      )}
      {made ? (
        <ShownOnce
          notice="Copy the key now. You won't see it again."
          label={
            <>
              API key <bdi>{made.name}</bdi>
            </>
          }
          value={made.key}
          name="API key"
          onDone={close}
        />
      ) : isMaking ? (
        <ApiKeyForm onMade={setMade} onCancel={close} />
      ) : (
        <Button
          ref={makeButton}
          className="justify-self-start max-sm:justify-self-stretch"
          onClick={() => setMaking(true)}
        >
          New API Key
        </Button>
      )}
      <ConfirmDialog
        open={asked !== null}
        onOpenChange={() => setAsked(null)}
        title="Revoke API key"
        question="Anything that uses this key stops working at once. This can't be undone."
        confirmLabel="Revoke"
        busyLabel="Revoking..."
        busy={revoke.isPending}
        onConfirm={() => asked && revoke.mutate({ keyId: asked.id }, { onSettled: () => setAsked(null) })}
        finalFocus={focusTarget}
      >
        <strong>{asked?.name}</strong>
        {asked && asked.mayHaveMade.length > 0 && (
          <p className="mt-2">
            These keys are revoked too, because this one may have created them:{" "}
            {keys
              .filter(({ id }) => asked.mayHaveMade.includes(id))
              .map(({ name }) => name)
              .join(", ")}
          </p>
        )}
      </ConfirmDialog>
    </div>
  );
}

function ApiKeyRow({ apiKey, onRevoke }: { apiKey: ApiKeyView; onRevoke: () => void }) {
  const { name, scope, lastFour, createdAt, expiresAt, lastUsedAt } = apiKey;
  return (
    <li
      {...rowMark(apiKey.id)}
      className="flex flex-wrap items-center gap-x-3.5 gap-y-2 border-line py-3 first:pt-0 last:pb-0 not-first:border-t"
    >
      <KeyRound size={20} className="shrink-0 text-ink2" />
      <div className="min-w-0 flex-1 basis-52">
        <p className="flex flex-wrap items-center gap-x-2.5 gap-y-1 font-medium [overflow-wrap:anywhere]">
          <bdi>{name}</bdi>
          <Chip
            tone={scope === "write" ? "orange" : "grey"}
            icon={scope === "write" ? PenLine : Eye}
            label={SCOPE_LABELS[scope]}
          />
        </p>
        <p className="text-dense text-ink2 [overflow-wrap:anywhere]">
          Ends in {lastFour}, created on <time dateTime={createdAt}>{formatInstantLong(createdAt)}</time>
          {"; "}
          {lastUsedAt ? (
            <>
              last used <time dateTime={lastUsedAt}>{formatInstantInText(lastUsedAt)}</time>
            </>
          ) : (
            "never used"
          )}
          {"; "}
          {expiresAt ? (
            <>
              expires on <time dateTime={expiresAt}>{formatInstantLong(expiresAt)}</time>
            </>
          ) : (
            "no expiry"
          )}
        </p>
      </div>
      <Button size="sm" variant="danger" className="max-sm:ms-8.5" onClick={onRevoke}>
        <span>
          Revoke<span className="sr-only"> {name}</span>
        </span>
      </Button>
    </li>
  );
}
