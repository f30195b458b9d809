import { messageTextSchema } from "@server/contract/chat";
import { Copy, SendHorizontal } from "lucide-react";
import { type FormEvent, type KeyboardEvent, type Ref, useId, useState } from "react";
import { cn } from "@/lib/cn";
import { useUnsavedForm } from "@/lib/unsaved-forms";
import { announce } from "@/ui/announce";
import { Button } from "@/ui/button";
import { useSteady } from "@/ui/steady";
import { readMessageDraft, writeMessageDraft } from "./message-draft";

type ComposerProps = {
  ref: Ref<HTMLTextAreaElement>;
  ownId: string;
  partnerId: string;
  partnerName: string;
  /** Why nothing can be sent any more; null while it can. What is typed stays, to be read and copied. */
  refusal: string | null;
  onSend: (text: string) => void;
  /** A letter more or less. */
  onType?: (() => void) | undefined;
};

const MAX_ROWS = 6;

/** Where one writes: Enter sends, Shift and Enter begin a line. What is typed is kept for this conversation in this tab. */
export function Composer({ ref, ownId, partnerId, partnerName, onSend, onType, ...given }: ComposerProps) {
  const refusal = useSteady(given.refusal);
  const [text, setText] = useState(() => readMessageDraft({ ownId, partnerId }));
  const [complaint, setComplaint] = useState<string | null>(null);
  const complaintId = useId();
  const isBlank = text.trim() === "";
  const isClosed = refusal !== null;
  useUnsavedForm(() => !isBlank);

  function change(next: string): void {
    setText(next);
    setComplaint(null);
    writeMessageDraft({ ownId, partnerId }, next);
  }
  function submit(event?: FormEvent): void {
    event?.preventDefault();
    if (isBlank || isClosed) return;
    const checked = messageTextSchema.safeParse(text);
    if (!checked.success) {
      setComplaint(checked.error.issues[0]?.message ?? null);
      return;
    }
    change("");
    onSend(checked.data);
  }
  function onKeyDown(event: KeyboardEvent<HTMLTextAreaElement>): void {
    // 229: Safari ends a composition before it tells of the Enter that ended it.
    if (event.key !== "Enter" || event.shiftKey || event.nativeEvent.isComposing || event.keyCode === 229) return;
    event.preventDefault();
    event.currentTarget.form?.requestSubmit();
  }
  if (isClosed && isBlank) {
    return <p className="border-line border-t px-6 py-4 text-center text-dense text-ink2">{refusal}</p>;
  }
  const notice = complaint ?? refusal;
  return (
    <form onSubmit={submit} className={cn("px-3 pt-1 pb-3 sm:px-6 sm:pb-5", isClosed && "border-line border-t")}>
      {notice && (
        <p
          id={complaintId}
          role="alert"
          className={cn("px-1 pb-2 text-dense", isClosed ? "pt-3 text-ink2" : "text-red")}
        >
          {notice}
        </p>
      )}
      <div className="flex items-end gap-2 rounded-card border border-line bg-raised p-2 ps-4 focus-within:outline-2 focus-within:outline-ring focus-within:-outline-offset-1">
        <textarea
          ref={ref}
          // Without a word the placeholder would be turned too.
          dir={isBlank ? undefined : "auto"}
          value={text}
          readOnly={isClosed}
          onChange={({ target }) => {
            change(target.value);
            onType?.();
          }}
          onKeyDown={onKeyDown}
          rows={Math.min(MAX_ROWS, text.split("\n").length)}
          aria-label={isClosed ? `What you typed to ${partnerName}` : `Message ${partnerName}`}
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
            disabled={isBlank}
            icon={<SendHorizontal size={16} className="max-sm:hidden" />}
          >
            Send
          </Button>
        )}
      </div>
    </form>
  );
}

/** Not there where the browser lets no page write to the clipboard: the text can be marked. */
function CopyButton({ text }: { text: string }) {
  if (!navigator.clipboard) return null;
  const copy = () => navigator.clipboard.writeText(text).then(() => announce("Copied"));
  return (
    <Button
      icon={<Copy size={16} className="max-sm:hidden" />}
      onClick={() => void copy().catch(() => announce("Not copied"))}
    >
      Copy
    </Button>
  );
}
