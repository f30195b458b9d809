import { messageTextSchema } from "@server/contract/chat";
import { SendHorizontal } from "lucide-react";
import { type FormEvent, type KeyboardEvent, type Ref, useId, useState } from "react";
import { readDraft, writeDraft } from "@/lib/session-draft";
import { Button } from "@/ui/button";

type ComposerProps = {
  ref: Ref<HTMLTextAreaElement>;
  draftKey: string;
  partnerName: string;
  onSend: (text: string) => void;
};

const WRITER = {};
const MOST_LINES = 6;

/** Where one writes: Enter sends, Shift and Enter begin a line. What is typed is kept for this conversation in this tab. */
export function Composer({ ref, draftKey, partnerName, onSend }: ComposerProps) {
  const [text, setText] = useState(() => readDraft(draftKey, textOf) ?? "");
  const [complaint, setComplaint] = useState<string | null>(null);
  const complaintId = useId();
  const isBlank = text.trim() === "";

  function change(next: string): void {
    setText(next);
    setComplaint(null);
    writeDraft(draftKey, next === "" ? null : { text: next }, WRITER);
  }
  function submit(event?: FormEvent): void {
    event?.preventDefault();
    if (isBlank) return;
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
  return (
    <form onSubmit={submit} className="px-3 pt-1 pb-3 sm:px-6 sm:pb-5">
      {complaint && (
        <p id={complaintId} role="alert" className="px-1 pb-2 text-dense text-red">
          {complaint}
        </p>
      )}
      <div className="flex items-end gap-2 rounded-card border border-line bg-raised p-2 ps-4 focus-within:outline-2 focus-within:outline-ring focus-within:-outline-offset-1">
        <textarea
          ref={ref}
          value={text}
          onChange={({ target }) => change(target.value)}
          onKeyDown={onKeyDown}
          rows={Math.min(MOST_LINES, text.split("\n").length)}
          aria-label={`Message ${partnerName}`}
          aria-invalid={complaint ? true : undefined}
          aria-describedby={complaint ? complaintId : undefined}
          placeholder={`Message ${partnerName}`}
          enterKeyHint="send"
          className="field-sizing-content max-h-[156px] min-w-0 flex-1 resize-none bg-transparent py-[10px] text-reading leading-6 outline-none placeholder:text-ink3 pointer-fine:py-[6px] sm:text-body"
        />
        <Button
          variant="primary"
          type="submit"
          disabled={isBlank}
          icon={<SendHorizontal aria-hidden="true" size={16} strokeWidth={1.75} className="max-sm:hidden" />}
        >
          Send
        </Button>
      </div>
    </form>
  );
}

function textOf(kept: unknown): string | null {
  if (typeof kept !== "object" || kept === null || !("text" in kept)) return null;
  return typeof kept.text === "string" ? kept.text : null;
}
