import { commentTextSchema } from "@server/contract/comments";
import { COMMENT_MESSAGES } from "@server/contract/messages/comments";
import type { Comment } from "@server/contract/views";
import { type FormEvent, type KeyboardEvent, useEffect, useId, useRef, useState } from "react";
import { useMe } from "@/features/auth/use-auth";
import { useUnsavedForm } from "@/lib/unsaved-forms";
import { fieldErrorsOf, messageOf } from "@/lib/user-message";
import { Button } from "@/ui/button";
import { DiscardDialog } from "@/ui/discard-dialog";
import { inputStyle } from "@/ui/input-style";
import { EMPTY_DRAFT, readCommentDraft, writeCommentDraft } from "./comment-draft";
import { MentionInput } from "./mention-input";
import { fromSent, type MentionText, toSent } from "./mention-text";
import { useMentionable, useUpdateComment } from "./use-comments";

type CommentEditorProps = { comment: Comment; onDone: () => void };

/** Changes the text of one's own comment, in its place. Ctrl+Enter saves, Escape restores and asks before; what is typed is kept as a draft. */
export function CommentEditor({ comment, onDone }: CommentEditorProps) {
  const { id, projectId, taskId, visibility } = comment;
  const me = useMe();
  const subject = taskId === null ? { projectId } : { taskId };
  const draftKey = `comment-edit:${me.id}:${id}`;
  const form = useRef<HTMLFormElement>(null);
  const update = useUpdateComment(subject);
  const [value, setValue] = useState<MentionText>(() => {
    const draft = readCommentDraft(draftKey);
    return draft === EMPTY_DRAFT ? fromSent(comment.text) : draft;
  });
  const [complaint, setComplaint] = useState<string | null>(null);
  const [isAsking, setAsking] = useState(false);
  const complaintId = useId();
  const people = useMentionable(subject, { enabled: true })?.filter(
    (person) => person.id !== me.id && (visibility === "client" || person.accountType !== "client"),
  );
  const isChanged = toSent(value) !== comment.text;
  useUnsavedForm(() => isChanged);
  useEffect(() => {
    const field = form.current?.querySelector("textarea");
    field?.focus();
    field?.setSelectionRange(field.value.length, field.value.length);
  }, []);

  function change(next: MentionText): void {
    setValue(next);
    setComplaint(null);
    writeCommentDraft(draftKey, { ...next, files: [] });
  }
  function leave(): void {
    writeCommentDraft(draftKey, EMPTY_DRAFT);
    onDone();
  }
  function submit(event: FormEvent): void {
    event.preventDefault();
    const { success, data: text, error: refusal } = commentTextSchema.safeParse(toSent(value));
    if (!isChanged) leave();
    else if (!success) setComplaint(refusal.issues[0]?.message ?? null);
    else {
      const onError = (error: unknown) =>
        setComplaint(fieldErrorsOf(error).text ?? `${COMMENT_MESSAGES.updateFailed} ${messageOf(error)}`);
      update.mutate({ commentId: id, text }, { onSuccess: leave, onError });
    }
  }
  function onKeyDown(event: KeyboardEvent<HTMLTextAreaElement>): void {
    if (event.nativeEvent.isComposing) return;
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
      event.preventDefault();
      form.current?.requestSubmit();
    }
    if (event.key !== "Escape") return;
    event.preventDefault();
    // The dialog around listens on the document.
    event.stopPropagation();
    if (isChanged) setAsking(true);
    else leave();
  }
  const field = () => form.current?.querySelector("textarea") ?? null;
  return (
    <form ref={form} onSubmit={submit} aria-label="Edit comment" className="mt-1">
      <MentionInput
        value={value}
        onChange={change}
        people={people}
        side="below"
        onKeyDown={onKeyDown}
        rows={2}
        aria-label="Edit comment"
        aria-keyshortcuts="Control+Enter"
        aria-invalid={complaint ? true : undefined}
        aria-describedby={complaint ? complaintId : undefined}
        className={`${inputStyle} field-sizing-content block max-h-60 min-h-16 resize-none py-2`}
      />
      {complaint && (
        <p id={complaintId} role="alert" className="mt-1 text-dense text-red">
          {complaint}
        </p>
      )}
      <div className="mt-2 flex gap-2">
        <Button size="sm" variant="primary" type="submit" busy={update.isPending} busyLabel="Saving...">
          Save
        </Button>
        <Button size="sm" variant="quiet" onClick={leave}>
          Cancel
        </Button>
      </div>
      <DiscardDialog open={isAsking} onOpenChange={setAsking} onDiscard={leave} finalFocus={field} />
    </form>
  );
}
