const NAME = "session";

/** Notifies the other tabs of this browser who is signed in; null for nobody. */
export function notifyOtherTabs(userId: string | null): void {
  channel()?.postMessage({ userId });
}

/** Calls back when another tab signed in or out. */
export function onOtherTab(listener: (userId: string | null) => void): void {
  // Only this module's pages send there.
  channel()?.addEventListener("message", ({ data }: MessageEvent<{ userId: string | null }>) => listener(data.userId));
}

let opened: BroadcastChannel | null = null;

function channel(): BroadcastChannel | null {
  if (typeof BroadcastChannel === "undefined") return null;
  opened ??= new BroadcastChannel(NAME);
  return opened;
}
