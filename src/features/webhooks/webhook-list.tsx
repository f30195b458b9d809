import { WEBHOOK_KIND_LABELS, WEBHOOK_MESSAGES } from "@server/contract/messages/webhooks";
import type { CreatedWebhook, Webhook } from "@server/contract/views";
import { useRef, useState } from "react";
import { flushSync } from "react-dom";
import { formatDate } from "@/lib/format";
import { rowMark, useRowFocus } from "@/lib/use-row-focus";
import { messageOf } from "@/lib/user-message";
import { Button } from "@/ui/button";
import { ConfirmDialog } from "@/ui/confirm-dialog";
import { Delayed } from "@/ui/delayed";
import { ErrorState } from "@/ui/error-state";
import { ShownOnce } from "@/ui/shown-once";
import { Skeleton } from "@/ui/skeleton";
import { useDeleteWebhook, useSendTest, type useWebhooks } from "./use-webhooks";
import { WebhookDeliveries } from "./webhook-deliveries";
import { WebhookForm } from "./webhook-form";

/** The organisation's webhooks, with what was sent to each. */
export function WebhookList({ query }: { query: ReturnType<typeof useWebhooks> }) {
  const { data, error, isPending, isFetching, refetch } = query;
  return (
    <Delayed pending={isPending} label="Loading webhooks" skeleton={<Skeleton className="h-12 w-full" />}>
      {() =>
        data ? (
          <Webhooks webhooks={data} />
        ) : (
          <ErrorState message={messageOf(error)} busy={isFetching} onRetry={() => void refetch()} className="py-4" />
        )
      }
    </Delayed>
  );
}

function Webhooks({ webhooks }: { webhooks: Webhook[] }) {
  const [isMaking, setMaking] = useState(false);
  const [made, setMade] = useState<CreatedWebhook | null>(null);
  const [asked, setAsked] = useState<Webhook | null>(null);
  const remove = useDeleteWebhook();
  const box = useRef<HTMLDivElement>(null);
  const makeButton = useRef<HTMLButtonElement>(null);
  const focusTarget = useRowFocus(box, {
    rows: webhooks,
    fallback: () => makeButton.current ?? box.current?.closest("section")?.querySelector("h2"),
  });

  function close(): void {
    flushSync(() => {
      setMaking(false);
      setMade(null);
    });
    makeButton.current?.focus();
  }
  return (
    <div ref={box} className="grid gap-4">
      {webhooks.length === 0 && !isMaking && !made && <p className="text-ink2">{WEBHOOK_MESSAGES.empty}</p>}
      {webhooks.length > 0 && (
        <ul aria-label="Webhooks">
          {webhooks.map((webhook) => (
            <WebhookRow key={webhook.id} webhook={webhook} onDelete={() => setAsked(webhook)} />
          ))}
        </ul>
      )}
      {made ? (
        <ShownOnce
          notice="Copy the secret now and give it to the program that receives the events. You won't see it again."
          label="Signing secret"
          value={made.secret}
          name="The secret"
          onDone={close}
        />
      ) : isMaking ? (
        <WebhookForm onMade={setMade} onCancel={close} />
      ) : (
        <Button
          ref={makeButton}
          className="justify-self-start max-sm:justify-self-stretch"
          onClick={() => setMaking(true)}
        >
          New Webhook
        </Button>
      )}
      <ConfirmDialog
        open={asked !== null}
        onOpenChange={() => setAsked(null)}
        title="Delete webhook"
        question={WEBHOOK_MESSAGES.confirmDelete}
        confirmLabel="Delete"
        busyLabel="Deleting..."
        busy={remove.isPending}
        onConfirm={() => asked && remove.mutate({ webhookId: asked.id }, { onSettled: () => setAsked(null) })}
        finalFocus={focusTarget}
      >
        <p className="font-semibold [overflow-wrap:anywhere]">{asked?.url}</p>
      </ConfirmDialog>
    </div>
  );
}

function WebhookRow({ webhook, onDelete }: { webhook: Webhook; onDelete: () => void }) {
  const { id, url, kinds, createdAt, createdBy } = webhook;
  const [isOpen, setOpen] = useState(false);
  const test = useSendTest();
  const { host } = new URL(url);
  const about = <span className="sr-only"> {host}</span>;
  return (
    <li {...rowMark(id)} className="grid gap-2.5 border-line py-4 first:pt-0 last:pb-0 not-first:border-t">
      <p className="font-medium [overflow-wrap:anywhere]">
        <bdi>{url}</bdi>
      </p>
      <p className="text-dense text-ink2">
        {kinds.map((kind) => WEBHOOK_KIND_LABELS[kind]).join(", ")}. Added by <bdi>{createdBy.name}</bdi> on{" "}
        <time dateTime={createdAt}>{formatDate(createdAt)}</time>.
      </p>
      <div className="flex flex-wrap gap-2">
        <Button
          size="sm"
          busy={test.isPending}
          busyLabel="Sending..."
          onClick={() => test.mutate({ webhookId: id }, { onSuccess: () => setOpen(true) })}
        >
          <span>Send test{about}</span>
        </Button>
        <Button size="sm" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          <span>Deliveries{about}</span>
        </Button>
        <Button size="sm" variant="danger" onClick={onDelete}>
          <span>Delete{about}</span>
        </Button>
      </div>
      {isOpen && <WebhookDeliveries webhookId={id} host={host} />}
    </li>
  );
}
