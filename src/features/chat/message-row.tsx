import { Check, CheckCheck } from "lucide-react";
import { memo } from "react";
import { FileList } from "@/features/files/file-list";
import { textOfFiles } from "@/features/files/uploaded-file";
import { cn } from "@/lib/cn";
import { formatTime } from "@/lib/format";
import { Button } from "@/ui/button";
import { VisuallyHidden } from "@/ui/visually-hidden";
import type { ThreadMessage, ThreadRow } from "./chat-cache";
import { formatDay, withLinks } from "./chat-format";

type MessageRowProps = {
  row: ThreadRow;
  isOwn: boolean;
  partnerName: string;
  today: string;
  onRetry: (clientMessageId: string) => void;
  onDelete: (clientMessageId: string) => void;
};

/** A bubble with its time and ticks; above the first of a day the date, above the first new one the "New" line. */
export const MessageRow = memo(function MessageRow({
  row,
  isOwn,
  partnerName,
  today,
  onRetry,
  onDelete,
}: MessageRowProps) {
  const { message, day, isFirstNew, startsGroup } = row;
  const isFilesOnly = message.files.length > 0 && message.text === textOfFiles(message.files);
  return (
    <>
      {day && <Separator label={formatDay(day, today)} />}
      {isFirstNew && <Separator label="New" isThread />}
      <div className={cn("flex", isOwn && "justify-end", startsGroup && !day && !isFirstNew ? "pt-3" : "pt-1")}>
        <div
          className={cn(
            "flex max-w-[85%] gap-x-2.5 rounded-card border px-[13px] py-[9px] sm:max-w-[64%]",
            message.files.length === 0 ? "flex-wrap items-end justify-end" : "min-w-0 flex-col",
            isOwn
              ? "rounded-ee-[4px] border-transparent bg-bubble text-bubble-ink print:border-line"
              : "rounded-es-[4px] border-line bg-raised",
          )}
        >
          <VisuallyHidden>{isOwn ? "You" : partnerName}: </VisuallyHidden>
          {!isFilesOnly && (
            <p dir="auto" className="mr-auto min-w-0 flex-[0_1_auto] whitespace-pre-wrap [overflow-wrap:anywhere]">
              <LinkedText text={message.text} />
            </p>
          )}
          <FileList files={message.files} className={isFilesOnly ? undefined : "pt-1"} />
          <span className="flex shrink-0 items-center gap-1 self-end text-ink2 text-meta">
            <Progress message={message} isOwn={isOwn} />
          </span>
        </div>
      </div>
      {message.state === "failed" && message.clientMessageId !== null && (
        <Failure clientMessageId={message.clientMessageId} onRetry={onRetry} onDelete={onDelete} />
      )}
    </>
  );
}, showsTheSame);

/** Every new message rebuilds all rows, but most of them are unchanged. */
function showsTheSame(one: MessageRowProps, other: MessageRowProps): boolean {
  const { row: oneRow, ...oneRest } = one;
  const { row: otherRow, ...otherRest } = other;
  const { message: oneMessage, ...oneFrame } = oneRow;
  const { message: otherMessage, ...otherFrame } = otherRow;
  return isSame(oneRest, otherRest) && isSame(oneFrame, otherFrame) && isSame(oneMessage, otherMessage);
}

function isSame(one: object, other: object): boolean {
  return Object.entries(one).every(([name, value]) => value === Reflect.get(other, name));
}

function Separator({ label, isThread = false }: { label: string; isThread?: boolean }) {
  const line = isThread ? "bg-brand" : "bg-line";
  return (
    <p className={cn("flex items-center gap-3 py-3 text-meta", isThread ? "text-brand-text" : "text-ink2")}>
      <span className={cn("h-px flex-1", line)} />
      {label}
      <span className={cn("h-px flex-1", line)} />
    </p>
  );
}

function Progress({ message, isOwn }: { message: ThreadMessage; isOwn: boolean }) {
  if (message.state === "sending") return "Sending...";
  if (message.state === "failed") return "Not sent";
  return (
    <>
      <time dateTime={message.timestamp}>{formatTime(message.timestamp)}</time>
      {isOwn && message.state === "sent" && <Check role="img" aria-label="Sent" aria-hidden={false} size={14} />}
      {isOwn && message.state === "read" && (
        <CheckCheck role="img" aria-label="Read" aria-hidden={false} size={14} className="text-blue" />
      )}
    </>
  );
}

function Failure({
  clientMessageId,
  onRetry,
  onDelete,
}: { clientMessageId: string } & Pick<MessageRowProps, "onRetry" | "onDelete">) {
  return (
    <div className="flex justify-end gap-1 pt-1">
      <Button size="sm" onClick={() => onRetry(clientMessageId)}>
        Retry
      </Button>
      <Button size="sm" variant="danger" onClick={() => onDelete(clientMessageId)}>
        Delete
      </Button>
    </div>
  );
}

function LinkedText({ text }: { text: string }) {
  let at = 0;
  return withLinks(text).map((piece) => {
    const key = at;
    at += piece.text.length;
    if (piece.href === null) return <span key={key}>{piece.text}</span>;
    return (
      <a
        key={key}
        href={piece.href}
        target="_blank"
        rel="noopener noreferrer nofollow"
        className="no-url underline underline-offset-2"
      >
        {piece.text}
      </a>
    );
  });
}
