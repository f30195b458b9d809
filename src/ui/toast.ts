import { createStore } from "@/lib/store";

type ToastOptions = {
  /** A second line: the reason. */
  description?: string | undefined;
  /** What was tried, such as `delete <id>`: for `settle`. */
  about?: string | undefined;
  /** Away from the foot of the page, where a composer and what it has just sent stand. */
  atTop?: boolean | undefined;
};
type Kind = "success" | "error";
type ToastId = string | number;
type Post = (kind: Kind, title: string, options: ToastOptions) => ToastId;

let post: Post | null = null;
let dismiss: ((id?: ToastId) => void) | null = null;
let waiting: { kind: Kind; title: string; options: ToastOptions }[] = [];
const shown = new Map<string, ToastId>();
const store = createStore();

/**
 * Messages that need no answer. Success stays 5 s, an error until it is closed. Nothing may exist only in a toast.
 * The code that draws them is fetched with the first one: `ToastRegion` must be mounted once in the app.
 */
export const toast = {
  success: (title: string, options: ToastOptions = {}): void => send("success", title, options),
  error: (title: string, options: ToastOptions = {}): void => send("error", title, options),
  /** The same is tried again: what was said about it is no longer true. A new message is heard even in the same words. */
  settle(about: string): void {
    waiting = waiting.filter(({ options }) => options.about !== about);
    const id = shown.get(about);
    if (id !== undefined) dismiss?.(id);
    shown.delete(about);
  },
  /** Removes all messages. */
  clear(): void {
    waiting = [];
    shown.clear();
    dismiss?.();
  },
};

/** For `ToastRegion`: calls back for each toast that comes before the toaster, those already waiting included. */
export function onFirstToast(listener: () => void): () => void {
  if (waiting.length > 0) listener();
  return store.subscribe(listener);
}

/** What waits to be shown, as one text. */
export function waitingTitles(): string {
  return waiting.map(({ title }) => title).join(" ");
}

/** For the toaster: from now on toasts go to it, first those that waited. Without an id it dismisses all. */
export function takeToasts(nextPost: Post, nextDismiss: (id?: ToastId) => void): () => void {
  post = nextPost;
  dismiss = nextDismiss;
  const late = waiting;
  waiting = [];
  for (const { kind, title, options } of late) send(kind, title, options);
  return () => {
    post = null;
    dismiss = null;
  };
}

function send(kind: Kind, title: string, options: ToastOptions): void {
  if (post) {
    const { about } = options;
    const before = about === undefined ? undefined : shown.get(about);
    const id = post(kind, title, options);
    if (about !== undefined) shown.set(about, id);
    if (before !== undefined) dismiss?.(before);
    return;
  }
  waiting.push({ kind, title, options });
  store.emit();
}
