import { MAX_FILES } from "@server/contract/files";
import { FILE_MESSAGES } from "@server/contract/messages/files";
import type { File as UploadedFile } from "@server/contract/views";
import { newKey } from "@/lib/new-key";
import { createStore } from "@/lib/store";
import { UploadError, uploadFile, uploadNameOf } from "./upload-file";

/** Small files come one after the other quickly; more at a time would only make each slower. */
const AT_ONCE = 3;

/** A file that was chosen and is on its way to the server, or there. */
export interface Upload {
  key: string;
  name: string;
  size: number;
  state: "waiting" | "sending" | "failed" | "done";
  /** The share that was sent, 0 to 1. */
  progress: number;
  /** Why it failed; null otherwise. */
  message: string | null;
  canRetry: boolean;
  /** Null until it is there. */
  file: UploadedFile | null;
}

/** Receives the files that are there. */
export type UploadSave = (files: UploadedFile[]) => void;

/** The files of one composer or form. */
export interface UploadQueue {
  subscribe: (listener: () => void) => () => void;
  /** In the order in which they were chosen; the same array until something changes. */
  read: () => readonly Upload[];
  /** The sentence about files that were not taken, for there were too many; null for none. */
  readComplaint: () => string | null;
  add: (files: readonly File[]) => void;
  /** Calls `save` whenever a file has arrived or is removed. Returns the function that ends it. */
  onFiles: (save: UploadSave) => () => void;
  /** Adds files that are on the server already, also more than can be sent. Returns all that are there. */
  restore: (files: readonly UploadedFile[]) => UploadedFile[];
  retry: (key: string) => void;
  /** Also ends its upload. What is attached now is removed, too. */
  remove: (key: string) => void;
  /** Forgets all of them. */
  clear: () => void;
  /** Ends what is under way. */
  close: () => void;
}

/** `uploaded` are there already, such as those of a draft. */
export function createUploadQueue(uploaded: readonly UploadedFile[] = []): UploadQueue {
  const store = createStore();
  const chosen = new Map<string, File>();
  const running = new Map<string, AbortController>();
  let uploads: readonly Upload[] = uploaded.map(doneOf);
  let complaint: string | null = null;

  function set(next: readonly Upload[]): void {
    uploads = next;
    store.emit();
  }
  const patch = (key: string, change: Partial<Upload>) =>
    set(uploads.map((upload) => (upload.key === key ? { ...upload, ...change } : upload)));

  function sendNext(): void {
    for (const { key, state } of uploads) {
      const file = chosen.get(key);
      if (running.size < AT_ONCE && state === "waiting" && file) void send(key, file);
    }
  }
  async function send(key: string, file: File): Promise<void> {
    const ending = new AbortController();
    running.set(key, ending);
    patch(key, { state: "sending", progress: 0 });
    try {
      const onProgress = (progress: number) => patch(key, { progress });
      const sent = await uploadFile(file, { onProgress, signal: ending.signal });
      patch(key, { state: "done", progress: 1, file: sent });
    } catch (error) {
      const { message, canRetry } = error instanceof UploadError ? error : UNREADABLE;
      patch(key, { state: "failed", message, canRetry });
    } finally {
      running.delete(key);
      sendNext();
    }
  }
  function forget(key: string): void {
    running.get(key)?.abort();
    chosen.delete(key);
  }

  return {
    subscribe: store.subscribe,
    read: () => uploads,
    readComplaint: () => complaint,
    add(files) {
      const room = MAX_FILES - uploads.length;
      complaint = files.length > room ? FILE_MESSAGES.tooMany : null;
      const added = files.slice(0, Math.max(room, 0)).map((file) => {
        const key = newKey();
        chosen.set(key, file);
        return waitingOf(key, file);
      });
      set([...uploads, ...added]);
      sendNext();
    },
    onFiles(save) {
      let known = filesOf(uploads).length;
      return store.subscribe(() => {
        const files = filesOf(uploads);
        if (files.length !== known) save(files);
        known = files.length;
      });
    },
    restore(files) {
      set([...uploads, ...files.filter(({ id }) => !uploads.some(({ key }) => key === id)).map(doneOf)]);
      return filesOf(uploads);
    },
    retry(key) {
      patch(key, { state: "waiting", message: null });
      sendNext();
    },
    remove(key) {
      forget(key);
      complaint = null;
      set(uploads.filter((upload) => upload.key !== key));
    },
    clear() {
      for (const { key } of uploads) forget(key);
      complaint = null;
      set([]);
    },
    close() {
      for (const ending of running.values()) ending.abort();
    },
  };
}

/** A file that was moved or changed since it was chosen. */
const UNREADABLE = new UploadError("This file can no longer be read. Choose it again.", { canRetry: false });

/** Those that are there. */
export function filesOf(uploads: readonly Upload[]): UploadedFile[] {
  return uploads.flatMap(({ file }) => file ?? []);
}

function waitingOf(key: string, file: File): Upload {
  const { size } = file;
  return {
    key,
    name: uploadNameOf(file),
    size,
    state: "waiting",
    progress: 0,
    message: null,
    canRetry: false,
    file: null,
  };
}

function doneOf(file: UploadedFile): Upload {
  const { id, name, size } = file;
  return { key: id, name, size, state: "done", progress: 1, message: null, canRetry: false, file };
}
