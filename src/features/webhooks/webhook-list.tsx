import { WEBHOOK_KIND_LABELS, WEBHOOK_MESSAGES } from "@server/contract/messages/webhooks";
import type { CreatedWebhook, Webhook } from "@server/contract/views";
import { useState } from "react";
import { formatDate } from "@/lib/format";
import { rowMark } from "@/lib/use-row-focus";
import { Button } from "@/ui/button";
import { SecretList } from "@/ui/secret-list";
import { useDeleteWebhook, useSendTest, type useWebhooks } from "./use-webhooks";
import { WebhookDeliveries } from "./webhook-deliveries";
import { WebhookForm } from "./webhook-form";

type WebhookListProps = {
  query: ReturnType<typeof useWebhooks>;
  /** Whether something is typed for a new one. Keep it stable. */
  onDirtyChange: (isDirty: boolean) => void;
};

/** The organisation's webhooks, with what was sent to each. */
export function WebhookList({ query, onDirtyChange }: WebhookListProps) {
  const remove = useDeleteWebhook();
  return (
    <SecretList
      query={query}
      name="webhooks"
      empty={WEBHOOK_MESSAGES.empty}
      row={(webhook, onDelete) => <WebhookRow key={webhook.id} webhook={webhook} onDelete={onDelete} />}
      create="New Webhook"
      form={(events) => <WebhookForm {...events} onDirtyChange={onDirtyChange} />}
      shown={(made: CreatedWebhook) => ({
        notice: "Copy the secret now and give it to the program that receives the events. You won't see it again.",
        label: "Signing secret",
        value: made.secret,
        name: "The secret",
      })}
      removal={{
        title: "Delete webhook",
        question: WEBHOOK_MESSAGES.confirmDelete,
        confirmLabel: "Delete",
        busyLabel: "Deleting...",
        busy: remove.isPending,
        onConfirm: ({ id: webhookId }, onSettled) => remove.mutate({ webhookId }, { onSettled }),
        subject: ({ url }) => <p className="font-semibold [overflow-wrap:anywhere]">{url}</p>,
      }}
    />
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
