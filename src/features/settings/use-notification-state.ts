import { useCallback, useSyncExternalStore } from "react";
import { createStore } from "@/lib/store";

/** What the browser lets this site do; "unsupported" also where only secure addresses may ask. */
export type NotificationState = NotificationPermission | "unsupported";

const store = createStore((emit) => {
  // Whoever changes the permission in the browser's settings comes back to this window.
  window.addEventListener("focus", emit);
  return () => window.removeEventListener("focus", emit);
});

/** Follows what the person chooses in the browser's own settings, and asks them. Asking answers with what holds afterwards. */
export function useNotificationState(): [state: NotificationState, ask: () => Promise<NotificationState>] {
  const state = useSyncExternalStore(store.subscribe, read);
  const ask = useCallback(async () => {
    if (read() === "default") await Notification.requestPermission().catch(() => undefined);
    store.emit();
    return read();
  }, []);
  return [state, ask];
}

function read(): NotificationState {
  return typeof Notification === "undefined" || !isSecureContext ? "unsupported" : Notification.permission;
}
