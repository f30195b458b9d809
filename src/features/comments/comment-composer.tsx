import type { Visibility } from "@db/enums";
import { commentTextSchema } from "@server/contract/comments";
import { COMMENT_MESSAGES } from "@server/contract/messages/comments";
import type { Subject } from "@server/contract/subjects";
import type { Comment } from "@server/contract/views";
import { SendHorizontal } from "lucide-react";
import { type FormEvent, type KeyboardEvent, type Ref, useId, useImperativeHandle, useRef, useState } from "react";
import { useMe } from "@/features/auth/use-auth";
import { AttachButton, UploadArea } from "@/features/files/upload-area";
import { UploadList } from "@/features/files/upload-list";
import { textOfFiles } from "@/features/files/uploaded-file";
import { useUploads } from "@/features/files/use-uploads";
import { cn } from "@/lib/cn";
import { isComposing } from "@/lib/is-composing";
import { useUnsavedForm } from "@/lib/unsaved-forms";
import { Button } from "@/ui/button";
import { Complaint } from "@/ui/complaint";
import { ConfirmDialog } from "@/ui/confirm-dialog";
import { VisibilitySwitch } from "@/ui/visibility-switch";
import {
  commentDraftKey,
  EMPTY_DRAFT,
  noteAskedAboutClient,
  readCommentDraft,
  readVisibility,
  wasAskedAboutClient,
  writeCommentDraft,
  writeVisibility,
} from "./comment-draft";
import { MentionInput } from "./mention-input";
import { EMPTY_TEXT, fromSent, joinTexts, type MentionText, mentionedIn, toSent } from "./mention-text";
import { commentOutbox, type UnsentComment } from "./outbox";
import { useMentionable } from "./use-comments";
import { useCommentOutbox } from "./use-outbox";

/** What others can do with the composer. */
export interface CommentComposerHandle {
  /** Puts a comment that was not sent before what is being written, and the focus there. */
  takeBack: (comment: UnsentComment) => void;
}

type ComposerProps = {
  ref?: Ref<CommentComposerHandle>;
  subject: Subject;
  projectId: string;
  /** What is there already: whoever has shown the client something here is not asked again. */
  comments: readonly Comment[];
  /** The same of the whole project, also from another browser. */
  hasShownClient: boolean;
  className?: string | undefined;
};

/**
 * Writes a comment. Ctrl+Enter sends. Whoever is of the team decides for each comment whether the client can see it; each person's
 * first time in a project is asked once more, in whatever browser. The text is kept as a draft in this tab.
 */
export function CommentComposer({ ref, subject, projectId, comments, hasShownClient, className }: ComposerProps) {
  const { id: ownId, accountType } = useMe();
  const isClient = accountType === "client";
  const author = { ownId, projectId };
  const draftKey = commentDraftKey(ownId, subject);
  const outbox = useCommentOutbox(ownId);
  const form = useRef<HTMLFormElement>(null);
  const [draft] = useState(() => readCommentDraft(draftKey));
  const [value, setValue] = useState<MentionText>(draft);
  const uploads = useUploads({
    uploaded: draft.files,
    draftKey,
    onChange: (files) => writeCommentDraft(draftKey, { ...readCommentDraft(draftKey), files }),
  });
  const [chosen, setChosen] = useState<Visibility>(() => readVisibility(author));
  const [complaint, setComplaint] = useState<string | null>(null);
  const [isAsking, setAsking] = useState(false);
  const [isNear, setNear] = useState(value.text !== "");
  const complaintId = useId();
  const visibility = isClient ? "client" : chosen;
  const readers = useMentionable(subject, { enabled: isNear });
  const people = readers?.filter(
    (person) => person.id !== ownId && (visibility === "client" || person.accountType !== "client"),
  );
  const isBlank = value.text.trim() === "";
  const isEmpty = isBlank && uploads.uploads.length === 0;
  // A comment that is being sent counts as unsaved: the session may end before it arrives.
  useUnsavedForm(() => !isEmpty || commentOutbox.holdsAny(ownId));
  useImperativeHandle(ref, () => ({ takeBack }));

  function takeBack(comment: UnsentComment): void {
    const isFilesOnly = comment.text === textOfFiles(comment.files);
    const text = joinTexts(isFilesOnly ? EMPTY_TEXT : fromSent(comment.text), value);
    // Of two choices the one that shows less.
    choose(isEmpty || comment.visibility === "team" ? comment.visibility : chosen);
    setValue(text);
    writeCommentDraft(draftKey, { ...text, files: uploads.restore(comment.files) });
    form.current?.querySelector("textarea")?.focus();
  }
  function choose(next: Visibility): void {
    setChosen(next);
    setComplaint(null);
    writeVisibility(author, next);
  }
  function change(next: MentionText): void {
    setValue(next);
    setComplaint(null);
    writeCommentDraft(draftKey, { ...next, files: uploads.files });
  }
  function submit(event?: FormEvent): void {
    event?.preventDefault();
    if (isEmpty) return;
    const checked = commentTextSchema.safeParse(written());
    const refusal = refusalOfMentions() ?? uploads.obstacle ?? checked.error?.issues[0]?.message;
    if (refusal) setComplaint(refusal);
    else if (needsQuestion()) setAsking(true);
    else send();
  }
  /** About who was chosen and cannot see it: the audience may be another one since, or the people of the project. */
  function refusalOfMentions(): string | undefined {
    const isReader = ({ id }: { id: string }) => id === ownId || people?.some((person) => person.id === id);
    const stranger = people && mentionedIn(value).find((person) => !isReader(person));
    if (!stranger) return undefined;
    const isClient = readers?.some(({ id }) => id === stranger.id);
    return isClient ? COMMENT_MESSAGES.cannotSee(stranger.name) : COMMENT_MESSAGES.isOutside(stranger.name);
  }
  const written = () => (isBlank ? textOfFiles(uploads.files) : toSent(value).trim());
  function needsQuestion(): boolean {
    if (isClient || visibility === "team" || hasShownClient || wasAskedAboutClient(author)) return false;
    return !comments.some(({ authorId, visibility: shown }) => authorId === ownId && shown === "client");
  }
  function send(): void {
    outbox.send({ subject, text: written(), visibility, files: uploads.files });
    uploads.clear();
    setValue(EMPTY_TEXT);
    writeCommentDraft(draftKey, EMPTY_DRAFT);
  }
  function onKeyDown(event: KeyboardEvent<HTMLTextAreaElement>): void {
    if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey) || isComposing(event)) return;
    event.preventDefault();
    form.current?.requestSubmit();
  }
  return (
    <form ref={form} onSubmit={submit} aria-label="New comment" className={cn("print:hidden", className)}>
      <UploadArea
        uploads={uploads}
        className={cn(
          "rounded-card border bg-raised p-1.5 focus-within:outline-2 focus-within:outline-ring focus-within:-outline-offset-1",
          !isClient && visibility === "client" ? "border-orange" : "border-line",
        )}
      >
        <UploadList uploads={uploads} className="pb-2" />
        <div className="flex items-start gap-1">
          <MentionInput
            value={value}
            onChange={change}
            people={people}
            side="above"
            onFocus={() => setNear(true)}
            onKeyDown={onKeyDown}
            rows={2}
            aria-label="Comment"
            aria-keyshortcuts="Control+Enter"
            aria-invalid={complaint ? true : undefined}
            aria-describedby={complaint ? complaintId : undefined}
            placeholder="Write a comment"
            className="field-sizing-content block max-h-[156px] min-h-12 w-full resize-none bg-transparent px-2 py-1.5 text-reading leading-6 outline-none placeholder:text-ink3 sm:text-body"
          />
          <AttachButton uploads={uploads} />
        </div>
        <Complaint id={complaintId} className="px-2 pb-1.5">
          {complaint}
        </Complaint>
        <div className="flex flex-wrap items-center justify-end gap-1 sm:gap-2">
          {!isClient && <VisibilitySwitch value={chosen} onChange={choose} />}
          <Button
            variant="primary"
            type="submit"
            className="max-sm:px-3"
            aria-disabled={isEmpty}
            icon={<SendHorizontal size={16} className="max-sm:hidden" />}
          >
            Send
          </Button>
        </div>
      </UploadArea>
      <ConfirmDialog
        open={isAsking}
        onOpenChange={setAsking}
        title="Show this to the client?"
        question={COMMENT_MESSAGES.showToClient}
        confirmLabel="Post comment"
        tone="primary"
        finalFocus={() => form.current?.querySelector("textarea") ?? null}
        onConfirm={() => {
          setAsking(false);
          noteAskedAboutClient(author);
          send();
        }}
      />
    </form>
  );
}
