import { RotateCcw, X } from "lucide-react";
import { useRef } from "react";
import { cn } from "@/lib/cn";
import { formatBytes } from "@/lib/format-bytes";
import { Complaint } from "@/ui/complaint";
import { IconButton } from "@/ui/icon-button";
import { useSteady } from "@/ui/steady";
import { FileName } from "./file-name";
import { FileThumbnail } from "./file-thumbnail";
import type { Upload } from "./upload-queue";
import type { Uploads } from "./use-uploads";

/** The files that were chosen, each with its progress, or why it was refused. Nothing when there are none. */
export function UploadList({
  uploads: { uploads, complaint, retry, remove },
  sentIds = [],
  className,
}: UploadListProps) {
  const list = useRef<HTMLUListElement>(null);
  if (uploads.length === 0 && complaint === null) return null;
  const removeButtons = () => [...(list.current?.querySelectorAll<HTMLButtonElement>("[data-remove]") ?? [])];
  /** Its button had the focus, and goes. */
  function retryAt(at: number): void {
    removeButtons()[at]?.focus();
    const upload = uploads[at];
    if (upload) retry(upload.key);
  }
  /** Its button had the focus. */
  function removeAt(at: number): void {
    const buttons = removeButtons();
    (buttons[at + 1] ?? buttons[at - 1] ?? list.current?.closest("form")?.querySelector("textarea"))?.focus();
    const upload = uploads[at];
    if (upload) remove(upload.key);
  }
  return (
    <div className={className}>
      <ul ref={list} aria-label="Files to attach" className="flex max-h-[34dvh] flex-col gap-1.5 overflow-y-auto">
        {uploads.map((upload, at) => (
          <UploadRow
            key={upload.key}
            upload={upload}
            isSent={upload.file !== null && sentIds.includes(upload.file.id)}
            onRetry={() => retryAt(at)}
            onRemove={() => removeAt(at)}
          />
        ))}
      </ul>
      <Complaint className="mt-1.5">{complaint}</Complaint>
    </div>
  );
}

type UploadListProps = {
  uploads: Uploads;
  /** Files that are being attached at this moment, which is too late to remove them. */
  sentIds?: readonly string[] | undefined;
  className?: string | undefined;
};

type UploadRowProps = { upload: Upload; isSent: boolean; onRetry: () => void; onRemove: () => void };

function UploadRow({ upload, isSent, onRetry, onRemove }: UploadRowProps) {
  // A row that fails is higher.
  const { name, size, state, progress, message, canRetry, file } = useSteady(upload);
  const isUnderWay = state === "waiting" || state === "sending";
  return (
    <li className="flex min-w-0 items-center gap-2.5 rounded-control border border-line bg-surface py-1 ps-1.5 pe-1">
      <FileThumbnail file={file} />
      <div className="min-w-0 flex-1">
        <p className="flex min-w-0 gap-2 text-dense">
          <FileName name={name} />
          <span className="shrink-0 text-ink3">{formatBytes(size)}</span>
        </p>
        {isUnderWay && (
          <div
            role="progressbar"
            aria-label={`Uploading ${name}`}
            aria-valuenow={Math.round(progress * 100)}
            className="mt-1 h-[3px] overflow-hidden rounded-pill bg-line"
          >
            <span
              className="thread-fill block h-full origin-left rounded-pill bg-brand transition-transform duration-140 ease-out"
              style={{ transform: `scaleX(${progress})` }}
            />
          </div>
        )}
        <Complaint className="[overflow-wrap:anywhere]">{message}</Complaint>
      </div>
      {state === "failed" && canRetry && (
        <IconButton icon={RotateCcw} size="sm" label={`Retry ${name}`} onClick={onRetry} />
      )}
      <IconButton
        icon={X}
        size="sm"
        data-remove=""
        label={`${isUnderWay ? "Cancel" : "Remove"} ${name}`}
        aria-disabled={isSent}
        onClick={isSent ? undefined : onRemove}
        className={cn(state === "failed" && "text-red")}
      />
    </li>
  );
}
