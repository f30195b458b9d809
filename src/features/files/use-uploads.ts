import { MAX_FILES } from "@server/contract/files";
import { FILE_MESSAGES } from "@server/contract/messages/files";
import type { File as UploadedFile } from "@server/contract/views";
import { type ClipboardEvent, useEffect, useEffectEvent, useState, useSyncExternalStore } from "react";
import { useUnsavedForm } from "@/lib/unsaved-forms";
import { leaveUploads, leftUploads, takeUploads } from "./left-uploads";
import { createUploadQueue, filesOf, type UploadSave } from "./upload-queue";

type UploadsOptions = {
  uploaded?: readonly UploadedFile[];
  onChange?: UploadSave;
  /** Of a field that closes without a question: its uploads go on, and `onChange` is called then too. */
  draftKey?: string;
};

/**
 * The files of a composer or a form, from the moment they are chosen. They upload at once; what they hang on is sent with the ids of
 * `files`, once there is no `obstacle`. `onChange` receives those that are there, for a draft, which gives them back as `uploaded`.
 */
export function useUploads({ uploaded, onChange = () => {}, draftKey }: UploadsOptions = {}) {
  // One field writes one draft.
  const [closed] = useState({ draftKey, save: onChange });
  const [queue] = useState(() => (draftKey && leftUploads(draftKey)) || createUploadQueue(uploaded));
  const uploads = useSyncExternalStore(queue.subscribe, queue.read, queue.read);
  const complaint = useSyncExternalStore(queue.subscribe, queue.readComplaint, queue.readComplaint);
  const change = useEffectEvent(onChange);
  useEffect(() => {
    const { draftKey, save } = closed;
    if (draftKey) takeUploads(draftKey, queue);
    const stop = queue.onFiles((files) => change(files));
    return () => {
      stop();
      if (draftKey) leaveUploads(draftKey, queue, save);
      else queue.close();
    };
  }, [queue, closed]);
  const isBusy = uploads.some(({ state }) => state === "waiting" || state === "sending");
  const hasFailed = uploads.some(({ state }) => state === "failed");
  useUnsavedForm(() => isBusy);
  const tooMany = uploads.length > MAX_FILES ? FILE_MESSAGES.tooMany : null;
  /** Why they cannot be sent yet. */
  const obstacle = isBusy ? "Wait until the files are uploaded." : hasFailed ? "Retry or remove what failed." : tooMany;
  return { ...queue, uploads, files: filesOf(uploads), complaint, obstacle, onPaste };

  /** Takes pictures and files from the clipboard. Text stays text, also where a program has put a picture of it beside. */
  function onPaste(event: ClipboardEvent): void {
    const { files: pasted, types } = event.clipboardData;
    if (pasted.length === 0 || types.includes("text/plain")) return;
    event.preventDefault();
    queue.add([...pasted]);
  }
}

export type Uploads = ReturnType<typeof useUploads>;
