import { WEBHOOK_KIND_LABELS, WEBHOOK_MESSAGES } from "@server/contract/messages/webhooks";
import type { WebhookDelivery } from "@server/contract/views";
import { CircleCheck, CircleX, Clock, type LucideIcon } from "lucide-react";
import { formatInstant, formatInstantInText } from "@/lib/format";
import { messageOf } from "@/lib/user-message";
import { Chip } from "@/ui/chip";
import { Delayed } from "@/ui/delayed";
import { ErrorState } from "@/ui/error-state";
import { Skeleton } from "@/ui/skeleton";
import type { Tone } from "@/ui/tone";
import { useDeliveries } from "./use-webhooks";

const STATUS_META: Record<WebhookDelivery["status"], { label: string; tone: Tone; icon: LucideIcon }> = {
  delivered: { label: "Delivered", tone: "green", icon: CircleCheck },
  waiting: { label: "Waiting", tone: "orange", icon: Clock },
  failed: { label: "Given up", tone: "red", icon: CircleX },
};

/** What was sent to a webhook and what it answered, newest first. */
export function WebhookDeliveries({ webhookId, host }: { webhookId: string; host: string }) {
  const { data, error, isPending, isFetching, refetch } = useDeliveries(webhookId);
  return (
    <Delayed pending={isPending} label="Loading deliveries" skeleton={<Skeleton className="h-16 w-full" />}>
      {() => {
        if (!data) {
          return (
            <ErrorState message={messageOf(error)} busy={isFetching} onRetry={() => void refetch()} className="py-4" />
          );
        }
        if (data.length === 0) return <p className="text-dense text-ink2">{WEBHOOK_MESSAGES.noDeliveries}</p>;
        return (
          // Focusable, since it scrolls by itself.
          <section
            // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls has to be reached by the keyboard.
            tabIndex={0}
            aria-label={`Deliveries to ${host}`}
            className="max-h-80 overflow-y-auto rounded-control bg-sunken px-3"
          >
            <ul>
              {data.map((delivery) => (
                <Delivery key={delivery.id} delivery={delivery} />
              ))}
            </ul>
          </section>
        );
      }}
    </Delayed>
  );
}

function Delivery({ delivery }: { delivery: WebhookDelivery }) {
  const { kind, createdAt, status } = delivery;
  const { label, tone, icon } = STATUS_META[status];
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 border-line py-2.5 text-dense not-first:border-t">
      <span className="font-medium">{WEBHOOK_KIND_LABELS[kind]}</span>
      <Chip tone={tone} icon={icon} label={label} />
      <span className="w-full text-ink2 [overflow-wrap:anywhere]">
        <time dateTime={createdAt}>{formatInstant(createdAt)}</time>
        {describeAnswer(delivery)}
      </span>
    </li>
  );
}

/** Tries, the last answer, and when it is tried again. */
function describeAnswer({ attempts, lastStatus, lastError, nextAttemptAt }: WebhookDelivery): string {
  const tries = attempts > 0 ? ` · ${attempts} ${attempts === 1 ? "try" : "tries"}` : "";
  const answer = lastStatus === null ? "" : ` · answered ${lastStatus}`;
  // A part of the line, not a sentence of its own.
  const error = lastError === null ? "" : ` · ${lastError.replace(/\.$/, "")}`;
  const next = nextAttemptAt === null || attempts === 0 ? "" : ` · next try ${formatInstantInText(nextAttemptAt)}`;
  return tries + answer + error + next;
}
