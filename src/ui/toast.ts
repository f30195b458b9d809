type ToastOptions = {
  /** A second line: the reason. */
  description?: string | undefined;
};
type Kind = "success" | "error";
type Post = (kind: Kind, title: string, options: ToastOptions) => void;

let post: Post | null = null;
let dismissAll: (() => void) | null = null;
let waiting: { kind: Kind; title: string; options: ToastOptions }[] = [];
const callers = new Set<() => void>();

/**
 * Messages that need no answer. Success stays 5 s, an error until it is closed. Nothing may exist only in a toast.
 * The code that draws them is fetched with the first one: `ToastRegion` must be mounted once in the app.
 */
export const toast = {
  success: (title: string, options: ToastOptions = {}): void => send("success", title, options),
  error: (title: string, options: ToastOptions = {}): void => send("error", title, options),
  /** Takes every message away: what they told of is settled. */
  clear(): void {
    waiting = [];
    dismissAll?.();
  },
};

/** For `ToastRegion`: hears of the first toast. */
export function onFirstToast(listener: () => void): () => void {
  callers.add(listener);
  if (waiting.length > 0) listener();
  return () => callers.delete(listener);
}

/** What waits to be shown, as one text. */
export function waitingTitles(): string {
  return waiting.map(({ title }) => title).join(" ");
}

/** For the toaster: from now on toasts go to it, first those that waited. */
export function takeToasts(next: Post, dismiss: () => void): () => void {
  post = next;
  dismissAll = dismiss;
  for (const { kind, title, options } of waiting) next(kind, title, options);
  waiting = [];
  return () => {
    post = null;
    dismissAll = null;
  };
}

function send(kind: Kind, title: string, options: ToastOptions): void {
  if (post) {
    post(kind, title, options);
    return;
  }
  waiting.push({ kind, title, options });
  for (const call of callers) call();
}
