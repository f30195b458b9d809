import type { ApiKeyView, CreatedApiKey } from "@server/contract/views";
import { Eye, KeyRound, PenLine } from "lucide-react";
import { formatInstantInText, formatInstantLong } from "@/lib/format";
import { rowMark } from "@/lib/use-row-focus";
import { Button } from "@/ui/button";
import { Chip } from "@/ui/chip";
import { SecretList } from "@/ui/secret-list";
import { ApiKeyForm, SCOPE_LABELS } from "./api-key-form";
import { useApiKeys, useRevokeApiKey } from "./use-api-keys";

/** The person's API keys, with actions to create and revoke them. */
export function ApiKeyList() {
  const query = useApiKeys();
  const revoke = useRevokeApiKey();
  return (
    <SecretList
      query={query}
      name="API keys"
      empty="You have no API keys."
      row={(key, onRevoke) => <ApiKeyRow key={key.id} apiKey={key} onRevoke={onRevoke} />}
      create="New API Key"
      form={(events) => <ApiKeyForm {...events} />}
      shown={(made: CreatedApiKey) => ({
        notice: "Copy the key now. You won't see it again.",
        label: (
          <>
            API key <bdi>{made.name}</bdi>
          </>
        ),
        value: made.key,
        name: "API key",
      })}
      removal={{
        title: "Revoke API key",
        question: "Anything that uses this key stops working at once. This can't be undone.",
        confirmLabel: "Revoke",
        busyLabel: "Revoking...",
        busy: revoke.isPending,
        onConfirm: ({ id: keyId }, onSettled) => revoke.mutate({ keyId }, { onSettled }),
        subject: (key) => <RevokedKeys apiKey={key} keys={query.data ?? []} />,
      }}
    />
  );
}

function RevokedKeys({ apiKey, keys }: { apiKey: ApiKeyView; keys: readonly ApiKeyView[] }) {
  const others = keys.filter(({ id }) => apiKey.mayHaveMade.includes(id));
  return (
    <>
      <strong>{apiKey.name}</strong>
      {others.length > 0 && (
        <p className="mt-2">
          These keys are revoked too, because this one may have created them:{" "}
          {others.map(({ name }) => name).join(", ")}
        </p>
      )}
    </>
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
