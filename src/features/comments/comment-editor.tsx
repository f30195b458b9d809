import { commentTextSchema } from "@server/contract/comments";
import { COMMENT_MESSAGES } from "@server/contract/messages/comments";
import { GENERAL_MESSAGES } from "@server/contract/messages/general";
import type { Comment } from "@server/contract/views";
import { type FormEvent, type KeyboardEvent, useEffect, useId, useRef, useState } from "react";
import { useMe } from "@/features/auth/use-auth";
import { isComposing } from "@/lib/is-composing";
import { useUnsavedForm } from "@/lib/unsaved-forms";
import { fieldErrorsOf, messageOf, reasonOf } from "@/lib/user-message";
import { Button } from "@/ui/button";
import { Complaint } from "@/ui/complaint";
import { DiscardDialog } from "@/ui/discard-dialog";
import { InlineAlert } from "@/ui/inline-alert";
import { inputStyle } from "@/ui/input-style";
import { MarkdownText } from "@/ui/markdown-text";
import { Steady, useSteady } from "@/ui/steady";
import { editDraftKey, readEditDraft, type SeenComment, writeEditDraft } from "./comment-draft";
import { MentionInput } from "./mention-input";
import { fromSent, type MentionText, toSent } from "./mention-text";
import { useMentionable, useUpdateComment } from "./use-comments";
import { useCommentOutbox } from "./use-outbox";

type CommentEditorProps = { comment: Comment; onDone: () => void };

/**
 * Changes the text of one's own comment, in its place. Ctrl+Enter saves, Escape and Cancel restore and ask before; what is typed is kept as a
 * draft. What another tab saves meanwhile is shown and overwrites nothing; a comment that is deleted meanwhile can be posted anew.
 */
export function CommentEditor({ comment: latest, onDone }: CommentEditorProps) {
  const comment = useSteady(latest);
  const { id, projectId, taskId, visibility, editedAt } = comment;
  const me = useMe();
  const subject = taskId === null ? { projectId } : { taskId };
  const draftKey = editDraftKey(me.id, comment);
  const form = useRef<HTMLFormElement>(null);
  const update = useUpdateComment(subject);
  const outbox = useCommentOutbox(me.id);
  const [draft] = useState(() => readEditDraft(draftKey));
  const [seen, setSeen] = useState<SeenComment>(draft?.seen ?? comment);
  const [value, setValue] = useState<MentionText>(draft ?? fromSent(comment.text));
  const latestValue = useRef(value);
  const [complaint, setComplaint] = useState<string | null>(null);
  const [isAsking, setAsking] = useState(false);
  const complaintId = useId();
  const people = useMentionable(subject, { enabled: true })?.filter(
    (person) => person.id !== me.id && (visibility === "client" || person.accountType !== "client"),
  );
  const typed = toSent(value);
  const isChanged = typed !== seen.text;
  const isGone = comment.deletedAt !== null;
  const isBehind = !isGone && editedAt !== seen.editedAt && !update.isPending;
  useUnsavedForm(() => isChanged);
  useEffect(() => {
    const field = form.current?.querySelector("textarea");
    field?.focus();
    field?.setSelectionRange(field.value.length, field.value.length);
    showAll(form.current);
  }, []);
  // Nothing is lost: nothing was typed, or the same as there.
  if (isBehind && (!isChanged || typed === comment.text)) take();

  function take(): void {
    setSeen(comment);
    setValue(fromSent(comment.text));
    setComplaint(null);
  }
  function change(next: MentionText): void {
    latestValue.current = next;
    setValue(next);
    setComplaint(null);
    writeEditDraft(draftKey, { ...next, seen: { text: seen.text, editedAt: seen.editedAt } });
  }
  function leave(): void {
    writeEditDraft(draftKey, null);
    onDone();
  }
  function cancel(): void {
    // What is on its way can't be called back.
    if (update.isPending) return;
    if (isChanged) setAsking(true);
    else leave();
  }
  function submit(event: FormEvent): void {
    event.preventDefault();
    save(seen);
  }
  /** In place of the version that was seen. */
  function save({ editedAt: seenEditedAt }: SeenComment): void {
    // A second save would be refused: the first one changes what it is in place of.
    if (update.isPending) return;
    const { success, data: text, error: refusal } = commentTextSchema.safeParse(typed);
    if (!isChanged) leave();
    else if (!success) setComplaint(refusal.issues[0]?.message ?? null);
    else if (isGone) {
      outbox.send({ subject, text, visibility, files: [] });
      leave();
    } else update.mutate({ commentId: id, text, seenEditedAt }, { onSuccess: goOn, onError: complain });
  }
  /** What was typed while it was saved is not in what was saved. */
  function goOn(saved: SeenComment): void {
    const now = latestValue.current;
    if (now === value) leave();
    else {
      setSeen(saved);
      writeEditDraft(draftKey, { ...now, seen: { text: saved.text, editedAt: saved.editedAt } });
    }
  }
  function complain(error: unknown): void {
    // What is there now is shown beside.
    if (reasonOf(error) === "stale-version") return;
    setComplaint(fieldErrorsOf(error).text ?? `${COMMENT_MESSAGES.updateFailed} ${messageOf(error)}`);
  }
  function onKeyDown(event: KeyboardEvent<HTMLTextAreaElement>): void {
    if (isComposing(event)) return;
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
      event.preventDefault();
      form.current?.requestSubmit();
    }
    if (event.key !== "Escape") return;
    event.preventDefault();
    // The dialog around listens on the document.
    event.stopPropagation();
    cancel();
  }
  const field = () => form.current?.querySelector("textarea") ?? null;
  if (isGone && !isChanged) return <p className="text-ink3">{COMMENT_MESSAGES.wasDeleted}</p>;
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
      <Complaint id={complaintId} className="mt-1">
        {complaint}
      </Complaint>
      <Steady>
        {isBehind && (
          <OtherVersion
            text={comment.text}
            onInsist={() => {
              setSeen(comment);
              save(comment);
              field()?.focus();
            }}
            onTake={() => {
              writeEditDraft(draftKey, null);
              take();
              field()?.focus();
            }}
          />
        )}
      </Steady>
      {isGone && (
        <InlineAlert tone="orange" className="mt-2 text-dense">
          {COMMENT_MESSAGES.deleted} {GENERAL_MESSAGES.typedIsKept}
        </InlineAlert>
      )}
      <div className="mt-2 flex justify-end gap-2">
        <Button size="sm" variant="quiet" aria-disabled={update.isPending} onClick={isGone ? leave : cancel}>
          {isGone ? "Discard" : "Cancel"}
        </Button>
        <Button size="sm" variant="primary" type="submit" busy={update.isPending} busyLabel="Saving...">
          {isGone ? "Post as a new comment" : "Save"}
        </Button>
      </div>
      <DiscardDialog open={isAsking} onOpenChange={setAsking} onDiscard={leave} finalFocus={field} />
    </form>
  );
}

/** Its buttons too, above the composer, which sticks to the end of what scrolls. */
function showAll(form: HTMLFormElement | null | undefined): void {
  form?.scrollIntoView({ block: "nearest" });
}

type OtherVersionProps = { text: string; onInsist: () => void; onTake: () => void };

/** What the author has saved elsewhere since, and which of the two is to stand. */
function OtherVersion({ text, onInsist, onTake }: OtherVersionProps) {
  const note = useRef<HTMLParagraphElement>(null);
  useEffect(() => showAll(note.current?.closest("form")), []);
  return (
    <InlineAlert tone="orange" className="mt-2 text-dense">
      <p ref={note}>
        {COMMENT_MESSAGES.stale} {GENERAL_MESSAGES.typedIsKept}
      </p>
      <MarkdownText text={text} className="mt-2 max-h-40 overflow-y-auto text-ink" />
      <p className="mt-2 flex flex-wrap gap-2">
        <Button size="sm" onClick={onInsist}>
          Save mine over it
        </Button>
        <Button size="sm" onClick={onTake}>
          Load the other version
        </Button>
      </p>
    </InlineAlert>
  );
}
