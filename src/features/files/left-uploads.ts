import { sessionChanges } from "@/lib/session";
import { registerForm } from "@/lib/unsaved-forms";
import { filesOf, type UploadQueue, type UploadSave } from "./upload-queue";

/** By the key of their draft. */
const left = new Map<string, { queue: UploadQueue; stop: () => void }>();

/**
 * The field of these uploads is closed: they go on as long as the session lasts. What arrives is saved in the field's draft; what
 * is under way or has failed is there again when it opens.
 */
export function leaveUploads(draftKey: string, queue: UploadQueue, save: UploadSave): void {
  if (isDone(queue)) return;
  // Of two fields with one draft the one that was closed last.
  endUploads(draftKey);
  const stops = [
    queue.onFiles((files) => {
      save(files);
      if (isDone(queue)) takeUploads(draftKey, queue);
    }),
    registerForm(() => !isDone(queue)),
    sessionChanges.subscribe(() => endUploads(draftKey)),
  ];
  function stop(): void {
    for (const end of stops) end();
  }
  left.set(draftKey, { queue, stop });
}

function endUploads(draftKey: string): void {
  const found = left.get(draftKey);
  if (!found) return;
  takeUploads(draftKey, found.queue);
  found.queue.close();
}

/** The uploads that were left with that draft; null for none. */
export function leftUploads(draftKey: string): UploadQueue | null {
  return left.get(draftKey)?.queue ?? null;
}

/** Their field is open again, and saves what arrives. Others that were left with its draft wait on. */
export function takeUploads(draftKey: string, queue: UploadQueue): void {
  const found = left.get(draftKey);
  if (found?.queue !== queue) return;
  found.stop();
  left.delete(draftKey);
}

function isDone(queue: UploadQueue): boolean {
  return filesOf(queue.read()).length === queue.read().length;
}
