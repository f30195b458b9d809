import { Check, CheckCheck, CircleCheck } from "lucide-react";
import { memo } from "react";
import { FileList } from "@/features/files/file-list";
import { textOfFiles } from "@/features/files/uploaded-file";
import { cn } from "@/lib/cn";
import { formatTime } from "@/lib/format";
import { unsentMark } from "@/lib/outbox";
import { UnsentActions } from "@/ui/unsent-actions";
import { VisuallyHidden } from "@/ui/visually-hidden";
import { formatDay, withLinks } from "./chat-format";
import { type Making, MessageMenu } from "./message-menu";
import { MessageTask } from "./message-task";
import type { UnsentMessage } from "./outbox";
import type { ThreadMessage, ThreadRow } from "./thread";

type MessageRowProps = {
  row: ThreadRow;
  today: string;
  /** What the reader may make of a message. */
  makes: readonly Making[];
  onMake: (making: Making, message: ThreadMessage) => void;
  onRetry: (clientMessageId: string) => void;
  onDelete: (clientMessageId: string) => void;
  /** Undefined where nothing can be written. */
  onEdit: ((message: UnsentMessage) => void) | undefined;
};

/**
 * A bubble with its time and ticks, the task that it became and its menu; above the first of a day the date, above the first new one the
 * "New" line. A line of the server has no bubble.
 */
export const MessageRow = memo(function MessageRow({ row, today, makes, onMake, ...actions }: MessageRowProps) {
  const { message, day, isFirstNew, startsGroup } = row;
  const isOurs = message.from !== "theirs";
  const isSpaced = startsGroup && !day && !isFirstNew;
  return (
    <>
      {day && <Separator label={formatDay(day, today)} />}
      {isFirstNew && <Separator label="New" isThread />}
      {message.from === "system" ? (
        <SystemLine message={message} />
      ) : (
        <>
          <div
            {...(message.unsent && unsentMark(message.unsent.clientMessageId))}
            className={cn(
              "group/message flex items-center gap-1",
              isOurs && "flex-row-reverse",
              isSpaced ? "pt-3" : "pt-1",
            )}
          >
            <Bubble message={message} startsGroup={startsGroup} />
            {makes.length > 0 && message.id !== null && !message.chip && (
              <MessageMenu makes={makes} onChoose={(making) => onMake(making, message)} />
            )}
          </div>
          {message.chip && (
            <div className={cn("flex pt-1", isOurs && "justify-end")}>
              <MessageTask chip={message.chip} />
            </div>
          )}
          {message.unsent && <Failure unsent={message.unsent} {...actions} />}
        </>
      )}
    </>
  );
}, showsTheSame);

function Bubble({ message, startsGroup }: { message: ThreadMessage; startsGroup: boolean }) {
  const { from, author, text, files } = message;
  const isFilesOnly = files.length > 0 && text === textOfFiles(files);
  const isColumn = files.length > 0 || message.isByOther;
  return (
    <div
      className={cn(
        "flex max-w-[85%] gap-x-2.5 rounded-card border px-[13px] py-[9px] sm:max-w-[64%]",
        isColumn ? "min-w-0 flex-col" : "flex-wrap items-end justify-end",
        from === "self" && "rounded-ee-[4px] border-transparent bg-bubble text-bubble-ink print:border-line",
        from === "ours" && "rounded-ee-[4px] border-line bg-raised",
        from === "theirs" && "rounded-es-[4px] border-line bg-raised",
      )}
    >
      {message.isByOther && startsGroup ? (
        <p className="pb-0.5 font-medium text-ink2 text-meta">{author}</p>
      ) : (
        <VisuallyHidden>{author}: </VisuallyHidden>
      )}
      {!isFilesOnly && (
        <p dir="auto" className="mr-auto min-w-0 flex-[0_1_auto] whitespace-pre-wrap [overflow-wrap:anywhere]">
          <LinkedText text={text} />
        </p>
      )}
      <FileList files={files} className={isFilesOnly ? undefined : "pt-1"} />
      <span className="flex shrink-0 items-center gap-1 self-end text-ink2 text-meta">
        <Progress message={message} />
      </span>
    </div>
  );
}

/** What the server says, such as that a task is completed. */
function SystemLine({ message: { text, timestamp } }: { message: ThreadMessage }) {
  return (
    <p className="flex items-baseline justify-center gap-2 px-4 py-2 text-dense text-ink2">
      <CircleCheck size={14} className="shrink-0 translate-y-0.5 text-blue" />
      <span dir="auto" className="min-w-0 [overflow-wrap:anywhere]">
        {text}
      </span>
      <time dateTime={timestamp} className="shrink-0 text-meta">
        {formatTime(timestamp)}
      </time>
    </p>
  );
}

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

function Progress({ message }: { message: ThreadMessage }) {
  const isOwn = message.from !== "theirs";
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
  unsent,
  onRetry,
  onDelete,
  onEdit,
}: { unsent: UnsentMessage } & Pick<MessageRowProps, "onRetry" | "onDelete" | "onEdit">) {
  const { clientMessageId } = unsent;
  return (
    <UnsentActions
      unsent={unsent}
      onEdit={onEdit && (() => onEdit(unsent))}
      onRetry={() => onRetry(clientMessageId)}
      onDelete={() => onDelete(clientMessageId)}
      className="items-end pt-1"
    />
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
