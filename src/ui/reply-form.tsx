import { codePoints } from "@server/contract/text";
import { type FormEvent, useEffect, useRef, useState } from "react";
import { flushSync } from "react-dom";
import { mayTakeFocus } from "@/lib/page-focus";
import { readTextDraft, writeTextDraft } from "@/lib/text-draft";
import { useUnsavedForm } from "@/lib/unsaved-forms";
import { Field } from "./field";
import { FormButtons } from "./form-buttons";
import { TextArea } from "./text-area";

type ReplyFormProps = {
  /** Under which this tab keeps the text. */
  draftKey: string;
  label: string;
  hint?: string | undefined;
  /** The verb of the button, and the same while it is sent. */
  submit: string;
  busyLabel: string;
  /** What a blank text is told. */
  required: string;
  maxLength: number;
  /** It comes in the place of the button that was pressed for it. */
  takesFocus?: boolean | undefined;
  /** Resolves once it is saved; rejected, the text stays. */
  onSend: (text: string) => Promise<unknown>;
  onCancel?: (() => void) | undefined;
};

/** One text that answers something: a question, an answer or a reason. Kept as a draft of this tab until it is saved. */
export function ReplyForm({
  draftKey,
  label,
  hint,
  required,
  maxLength,
  takesFocus = false,
  onSend,
  ...buttons
}: ReplyFormProps) {
  const [text, setText] = useState(() => readTextDraft(draftKey));
  const latest = useRef(text);
  const [error, setError] = useState<string | undefined>();
  const [isSending, setSending] = useState(false);
  const field = useRef<HTMLTextAreaElement>(null);
  useUnsavedForm(() => text.trim() !== "");
  useEffect(() => {
    if (takesFocus && mayTakeFocus(null)) field.current?.focus();
  }, [takesFocus]);
  function change(next: string): void {
    latest.current = next;
    setText(next);
    setError(undefined);
    writeTextDraft(draftKey, next);
  }
  function complain(about: string): void {
    flushSync(() => setError(about));
    field.current?.focus();
  }
  async function send(event: FormEvent): Promise<void> {
    event.preventDefault();
    if (isSending) return;
    if (text.trim() === "") return complain(required);
    if (codePoints(text.trim()) > maxLength)
      return complain(`At most ${maxLength.toLocaleString("en-GB")} characters.`);
    setSending(true);
    try {
      await onSend(text);
      // What was typed while it was sent is not in what was saved.
      if (latest.current === text) change("");
    } catch {
      // The toast has said why; the text stays.
    } finally {
      setSending(false);
    }
  }
  return (
    <form noValidate aria-label={label} onSubmit={(event) => void send(event)} className="grid gap-3">
      <Field label={label} error={error} hint={hint} required>
        <TextArea ref={field} dir="auto" rows={3} value={text} onChange={({ target }) => change(target.value)} />
      </Field>
      <FormButtons {...buttons} busy={isSending} />
    </form>
  );
}
