import { NOTIFICATION_MESSAGES } from "@server/contract/messages/notifications";
import { skipToken } from "@tanstack/react-query";
import { isTRPCClientError } from "@trpc/client";
import { trpc } from "@/lib/trpc";
import { messageOf } from "@/lib/user-message";
import { toast } from "@/ui/toast";

const WORKER = "/push-worker.js";

/** Whether this browser can be pushed to at all: a secure address, and a browser that offers it. */
export function canBePushed(): boolean {
  return typeof window !== "undefined" && isSecureContext && "serviceWorker" in navigator && "PushManager" in window;
}

/** Whether pushes go to this browser, and what turns them on or off; `isOn` is undefined until known. */
export function usePush(): { isOn: boolean | undefined; choose: (isOn: boolean) => Promise<void> } {
  const utils = trpc.useUtils();
  const key = trpc.notifications.pushKey.useQuery(canBePushed() ? undefined : skipToken);
  const subscribe = trpc.notifications.subscribePush.useMutation();
  const unsubscribe = trpc.notifications.unsubscribePush.useMutation();

  async function turnOn(publicKey: string): Promise<void> {
    if ((await Notification.requestPermission()) !== "granted") return;
    await navigator.serviceWorker.register(WORKER);
    const { pushManager } = await navigator.serviceWorker.ready;
    const made = await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: publicKey });
    const { endpoint = "", keys: { p256dh = "", auth = "" } = {} } = made.toJSON();
    await subscribe.mutateAsync({ endpoint, keys: { p256dh, auth } });
  }
  async function turnOff(): Promise<void> {
    const registration = await navigator.serviceWorker.getRegistration(WORKER);
    const known = await registration?.pushManager.getSubscription();
    if (known) await unsubscribe.mutateAsync({ endpoint: known.endpoint });
    await known?.unsubscribe();
    await registration?.unregister();
  }
  async function choose(isOn: boolean): Promise<void> {
    if (!key.data) return;
    try {
      await (isOn ? turnOn(key.data.publicKey) : turnOff());
    } catch (error) {
      // Of the browser's own errors none is about the server.
      const description = isTRPCClientError(error) ? messageOf(error) : NOTIFICATION_MESSAGES.pushUnavailable;
      toast.error(NOTIFICATION_MESSAGES.pushFailed, { description });
    }
    await utils.notifications.pushKey.invalidate();
  }
  return { isOn: key.data?.isSubscribed, choose };
}
