import { NOTIFICATION_MESSAGES } from "@server/contract/messages/notifications";
import { skipToken, useQuery, useQueryClient } from "@tanstack/react-query";
import { isTRPCClientError } from "@trpc/client";
import { useState } from "react";
import { trpc } from "@/lib/trpc";
import { messageOf } from "@/lib/user-message";
import { toast } from "@/ui/toast";

const WORKER = "/push-worker.js";
const SUBSCRIPTION_KEY = ["push-subscription"];

/** Whether this browser can be pushed to at all: a secure address, and a browser that offers it. */
export function canBePushed(): boolean {
  return typeof window !== "undefined" && isSecureContext && "serviceWorker" in navigator && "PushManager" in window;
}

type Push = {
  /** Whether pushes go to this browser; undefined until known. */
  isOn: boolean | undefined;
  /** What was chosen last, while it is carried out: until then nothing else can be. */
  wish: boolean | undefined;
  choose: (isOn: boolean) => Promise<void>;
};

/** Whether pushes go to this browser, and what turns them on or off. */
export function usePush(): Push {
  const utils = trpc.useUtils();
  const queryClient = useQueryClient();
  const key = trpc.notifications.pushKey.useQuery(canBePushed() ? undefined : skipToken);
  // A browser whose permission was taken back has lost its subscription, which the server learns with the next push.
  const hasSubscription = useQuery({
    queryKey: SUBSCRIPTION_KEY,
    queryFn: async () => (await findSubscription()) !== null,
    enabled: canBePushed(),
  });
  const [wish, setWish] = useState<boolean | undefined>();
  const subscribe = trpc.notifications.subscribePush.useMutation();
  const unsubscribe = trpc.notifications.unsubscribePush.useMutation();

  async function turnOn(publicKey: string): Promise<void> {
    if ((await Notification.requestPermission()) !== "granted") return;
    await navigator.serviceWorker.register(WORKER);
    const { pushManager } = await navigator.serviceWorker.ready;
    // One of an earlier session may be for another key, beside which browsers refuse a new one.
    await (await pushManager.getSubscription())?.unsubscribe();
    const made = await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: publicKey });
    const { endpoint = "", keys: { p256dh = "", auth = "" } = {} } = made.toJSON();
    await subscribe.mutateAsync({ endpoint, keys: { p256dh, auth } });
  }
  async function turnOff(): Promise<void> {
    const known = await findSubscription();
    if (known) await unsubscribe.mutateAsync({ endpoint: known.endpoint });
    await known?.unsubscribe();
    await (await navigator.serviceWorker.getRegistration(WORKER))?.unregister();
  }
  async function choose(isOn: boolean): Promise<void> {
    if (!key.data || wish !== undefined) return;
    setWish(isOn);
    try {
      await (isOn ? turnOn(key.data.publicKey) : turnOff());
    } catch (error) {
      // Of the browser's own errors none is about the server.
      const description = isTRPCClientError(error) ? messageOf(error) : NOTIFICATION_MESSAGES.pushUnavailable;
      toast.error(NOTIFICATION_MESSAGES.pushFailed, { description });
    }
    await Promise.all([
      utils.notifications.pushKey.invalidate(),
      queryClient.invalidateQueries({ queryKey: SUBSCRIPTION_KEY }),
    ]);
    setWish(undefined);
  }
  const isKnown = key.data !== undefined && !hasSubscription.isPending;
  return { isOn: isKnown ? key.data.isSubscribed && hasSubscription.data === true : undefined, wish, choose };
}

async function findSubscription(): Promise<PushSubscription | null> {
  const registration = await navigator.serviceWorker.getRegistration(WORKER);
  return (await registration?.pushManager.getSubscription()) ?? null;
}
