import { WEBHOOK_MESSAGES } from "@server/contract/messages/webhooks";
import { trpc } from "@/lib/trpc";
import { codeOf, messageOf } from "@/lib/user-message";
import { toast } from "@/ui/toast";

/** While something waits to be sent, what became of it is asked for again. */
const POLL_MS = 3_000;

/** The organisation's webhooks, newest first. */
export function useWebhooks() {
  return trpc.webhooks.list.useQuery(undefined, { staleTime: 0 });
}

/** The newest 100 deliveries of one. */
export function useDeliveries(webhookId: string) {
  return trpc.webhooks.deliveries.useQuery(
    { webhookId },
    {
      staleTime: 0,
      refetchInterval: ({ state }) => state.data?.some(({ status }) => status === "waiting") === true && POLL_MS,
    },
  );
}

/** Only this answer contains the secret. The form shows errors. */
export function useCreateWebhook() {
  const { webhooks } = trpc.useUtils();
  return trpc.webhooks.create.useMutation({ onSuccess: () => webhooks.list.invalidate() });
}

/** One that is already gone counts as deleted. */
export function useDeleteWebhook() {
  const { webhooks } = trpc.useUtils();
  return trpc.webhooks.delete.useMutation({
    async onSuccess() {
      toast.success(WEBHOOK_MESSAGES.deleted);
      await webhooks.list.invalidate();
    },
    onError: (error) =>
      codeOf(error) === "NOT_FOUND"
        ? webhooks.list.invalidate()
        : toast.error(WEBHOOK_MESSAGES.deleteFailed, { description: messageOf(error) }),
  });
}

/** Queues a test event; its delivery says what became of it. */
export function useSendTest() {
  const { webhooks } = trpc.useUtils();
  return trpc.webhooks.sendTest.useMutation({
    onSuccess: (_, { webhookId }) => webhooks.deliveries.invalidate({ webhookId }),
    onError: (error) => toast.error(WEBHOOK_MESSAGES.testFailed, { description: messageOf(error) }),
  });
}
