import { type FormEvent, useState } from "react";
import { useMe } from "@/features/auth/use-auth";
import { useUnsavedForm } from "@/lib/unsaved-forms";
import { Field } from "@/ui/field";
import { TextArea } from "@/ui/text-area";
import { FormButtons } from "./form-buttons";
import { type ReplyKind, readTextDraft, replyDraftKey, writeTextDraft } from "./request-draft";

type ReplyFormProps = {
  /** The request or sign-off that it is about. */
  subjectId: string;
  kind: ReplyKind;
  label: string;
  hint?: string | undefined;
  /** The verb of the button, and the same while it is sent. */
  submit: string;
  busyLabel: string;
  /** What a blank text is told. */
  required: string;
  maxLength: number;
  /** Resolves once it is saved; rejected, the text stays. */
  onSend: (text: string) => Promise<unknown>;
  onCancel?: (() => void) | undefined;
};

/** One text about a request or sign-off: a question, an answer or a reason. Kept as a draft of this tab until it is saved. */
export function ReplyForm({
  subjectId,
  kind,
  label,
  hint,
  submit,
  busyLabel,
  required,
  maxLength,
  ...on
}: ReplyFormProps) {
  const key = replyDraftKey(kind, { userId: useMe().id, subjectId });
  const [text, setText] = useState(() => readTextDraft(key));
  const [error, setError] = useState<string | undefined>();
  const [isSending, setSending] = useState(false);
  useUnsavedForm(() => text.trim() !== "");
  function change(next: string): void {
    setText(next);
    setError(undefined);
    writeTextDraft(key, next);
  }
  async function send(event: FormEvent): Promise<void> {
    event.preventDefault();
    if (isSending) return;
    if (text.trim() === "") return setError(required);
    if ([...text.trim()].length > maxLength)
      return setError(`At most ${maxLength.toLocaleString("en-GB")} characters.`);
    setSending(true);
    try {
      await on.onSend(text);
      change("");
    } catch {
      // The toast has said why; the text stays.
    } finally {
      setSending(false);
    }
  }
  return (
    <form noValidate aria-label={label} onSubmit={(event) => void send(event)} className="grid gap-2.5">
      <Field label={label} error={error} hint={hint} required>
        <TextArea dir="auto" rows={3} value={text} onChange={({ target }) => change(target.value)} />
      </Field>
      <FormButtons submit={submit} busyLabel={busyLabel} isBusy={isSending} onCancel={on.onCancel} />
    </form>
  );
}
