import { messageTextSchema } from "@server/contract/chat";
import type { ChatPartner, Conversation } from "@server/contract/views";
import { Copy, SendHorizontal } from "lucide-react";
import {
  type FormEvent,
  type KeyboardEvent,
  type Ref,
  type RefObject,
  useId,
  useImperativeHandle,
  useState,
} from "react";
import { AttachButton, UploadArea } from "@/features/files/upload-area";
import { UploadList } from "@/features/files/upload-list";
import { textOfFiles } from "@/features/files/uploaded-file";
import { useUploads } from "@/features/files/use-uploads";
import { cn } from "@/lib/cn";
import { isComposing } from "@/lib/is-composing";
import { useUnsavedForm } from "@/lib/unsaved-forms";
import { announce } from "@/ui/announce";
import { Button } from "@/ui/button";
import { useSteady } from "@/ui/steady";
import { messageDraftKey, readMessageDraft, writeMessageDraft } from "./message-draft";
import { messageOutbox, type UnsentMessage } from "./outbox";
import { isCovering, threadKeyOf } from "./thread-people";
import { useNoteTyping } from "./use-chat";
import { useMessageOutbox } from "./use-outbox";

/** What others can do with the composer. */
export interface ComposerHandle {
  /** Puts a message that was refused before what is being written, and the focus there. */
  takeBack: (message: UnsentMessage) => void;
}

type ComposerProps = {
  ref: RefObject<HTMLTextAreaElement | null>;
  handle: Ref<ComposerHandle>;
  ownId: string;
  partner: ChatPartner;
  /** Null until the first message has begun the conversation. */
  conversation: Conversation | null;
  /** Why nothing can be written; null where it can. */
  refusal: string | null;
};

const MAX_ROWS = 6;

/**
 * Enter sends, Shift+Enter starts a new line. Text and uploaded files are kept as a draft in this tab. Where nothing can be written,
 * it can only be read and copied.
 */
export function Composer({ ref, handle, ownId, partner, conversation, ...rest }: ComposerProps) {
  const { id: partnerId, name: partnerName } = partner;
  const conversationId = conversation?.id ?? null;
  const isCover = conversation !== null && isCovering(conversation);
  const refusal = useSteady(rest.refusal);
  const outbox = useMessageOutbox(ownId);
  const noteTyping = useNoteTyping(conversationId);
  const owner = { ownId, threadKey: threadKeyOf({ partnerId, conversationId, isCover }) };
  const [draft] = useState(() => readMessageDraft(owner));
  const [text, setText] = useState(draft.text);
  const uploads = useUploads({
    uploaded: draft.files,
    draftKey: messageDraftKey(owner),
    onChange: (files) => writeMessageDraft(owner, { ...readMessageDraft(owner), files }),
  });
  const [complaint, setComplaint] = useState<string | null>(null);
  /** Send was pressed while files were in the way. */
  const [isRefused, setRefused] = useState(false);
  const complaintId = useId();
  const isBlank = text.trim() === "";
  const isEmpty = isBlank && uploads.uploads.length === 0;
  const isClosed = refusal !== null;
  const notice = useSteady(complaint ?? (isRefused ? uploads.obstacle : null) ?? refusal);
  // A message that is being sent counts as unsaved: the session may end before it arrives.
  useUnsavedForm(() => !isEmpty || messageOutbox.holdsAny(ownId));

  function change(next: string, files = uploads.files): void {
    setText(next);
    setComplaint(null);
    writeMessageDraft(owner, { text: next, files });
  }
  useImperativeHandle(handle, () => ({ takeBack }));

  function takeBack(message: UnsentMessage): void {
    const { files = [] } = message;
    const isFilesOnly = files.length > 0 && message.text === textOfFiles(files);
    // Before the text, whose draft names the files too.
    const restored = uploads.restore(files);
    change([isFilesOnly ? "" : message.text, text].filter((part) => part !== "").join("\n"), restored);
    outbox.remove(message.clientMessageId);
    ref.current?.focus();
  }
  function submit(event?: FormEvent): void {
    event?.preventDefault();
    if (isEmpty || isClosed) return;
    setRefused(uploads.obstacle !== null);
    if (uploads.obstacle !== null) return;
    const { files } = uploads;
    const checked = messageTextSchema.safeParse(isBlank ? textOfFiles(files) : text);
    if (!checked.success) {
      setComplaint(checked.error.issues[0]?.message ?? null);
      return;
    }
    uploads.clear();
    change("", []);
    outbox.send({ partnerId, conversationId, ...(isCover && { isCover }), text: checked.data, files });
  }
  function onKeyDown(event: KeyboardEvent<HTMLTextAreaElement>): void {
    if (event.key !== "Enter" || event.shiftKey || isComposing(event)) return;
    event.preventDefault();
    event.currentTarget.form?.requestSubmit();
  }
  if (isClosed && isEmpty) {
    return <p className="border-line border-t px-6 py-4 text-center text-dense text-ink2">{refusal}</p>;
  }
  if (isRefused && uploads.obstacle === null) setRefused(false);
  return (
    <form
      onSubmit={submit}
      className={cn("px-3 pt-1 pb-3 sm:px-6 sm:pb-5 print:hidden", isClosed && "border-line border-t")}
    >
      {notice && (
        <p
          id={complaintId}
          role="alert"
          className={cn("px-1 pb-2 text-dense", isClosed ? "pt-3 text-ink2" : "text-red")}
        >
          {notice}
        </p>
      )}
      <UploadArea
        uploads={uploads}
        disabled={isClosed}
        className="rounded-card border border-line bg-raised p-2 focus-within:outline-2 focus-within:outline-ring focus-within:-outline-offset-1"
      >
        <UploadList uploads={uploads} className="pb-2" />
        <div className="flex items-end gap-1">
          {!isClosed && <AttachButton uploads={uploads} />}
          <textarea
            ref={ref}
            // "auto" would also flip the placeholder of an empty field.
            dir={isBlank ? undefined : "auto"}
            value={text}
            readOnly={isClosed}
            onChange={({ target }) => {
              change(target.value);
              noteTyping();
            }}
            onKeyDown={onKeyDown}
            rows={Math.min(MAX_ROWS, text.split("\n").length)}
            aria-label={isClosed ? `Unsent message to ${partnerName}` : `Message ${partnerName}`}
            aria-invalid={complaint ? true : undefined}
            aria-describedby={notice ? complaintId : undefined}
            placeholder={`Message ${partnerName}`}
            enterKeyHint="send"
            className="field-sizing-content max-h-[156px] min-w-0 flex-1 resize-none bg-transparent py-[10px] text-reading leading-6 outline-none placeholder:text-ink3 read-only:text-ink2 pointer-fine:py-[6px] sm:text-body"
          />
          {isClosed ? (
            <CopyButton text={text} />
          ) : (
            <Button
              variant="primary"
              type="submit"
              aria-disabled={isEmpty}
              icon={<SendHorizontal size={16} className="max-sm:hidden" />}
            >
              Send
            </Button>
          )}
        </div>
      </UploadArea>
    </form>
  );
}

/** Renders nothing without the clipboard API: the text can still be selected. */
function CopyButton({ text }: { text: string }) {
  if (!navigator.clipboard) return null;
  const copy = () => navigator.clipboard.writeText(text).then(() => announce("Copied"));
  return (
    <Button
      icon={<Copy size={16} className="max-sm:hidden" />}
      onClick={() => void copy().catch(() => announce("Could not copy"))}
    >
      Copy
    </Button>
  );
}
