import { useCallback, useSyncExternalStore } from "react";

/** What the browser lets this site do; "unsupported" also where only secure addresses may ask. */
export type NotificationState = NotificationPermission | "unsupported";

const watchers = new Set<() => void>();

/** Follows what the person chooses in the browser's own settings, and asks them. Asking answers with what holds afterwards. */
export function useNotificationState(): [state: NotificationState, ask: () => Promise<NotificationState>] {
  const state = useSyncExternalStore(watch, read);
  const ask = useCallback(async () => {
    if (read() === "default") await Notification.requestPermission().catch(() => undefined);
    for (const tell of watchers) tell();
    return read();
  }, []);
  return [state, ask];
}

function read(): NotificationState {
  return typeof Notification === "undefined" || !isSecureContext ? "unsupported" : Notification.permission;
}

/** Whoever changes it in the browser's settings comes back to this window. */
function watch(watcher: () => void): () => void {
  watchers.add(watcher);
  window.addEventListener("focus", watcher);
  return () => {
    watchers.delete(watcher);
    window.removeEventListener("focus", watcher);
  };
}
