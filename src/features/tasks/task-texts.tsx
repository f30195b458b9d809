import { GENERAL_MESSAGES } from "@server/contract/messages/general";
import { Pencil } from "lucide-react";
import { type FocusEvent, type KeyboardEvent, type MouseEvent, useEffect, useId, useRef, useState } from "react";
import { cn } from "@/lib/cn";
import { isComposing } from "@/lib/is-composing";
import { useNextFocus } from "@/lib/use-next-focus";
import { Button } from "@/ui/button";
import { DiscardDialog } from "@/ui/discard-dialog";
import { IconButton } from "@/ui/icon-button";
import { MarkdownText } from "@/ui/markdown-text";
import { useSteady } from "@/ui/steady";
import { FieldConflict, NotSaved, SavedMark } from "./save-state";
import type { TaskPart } from "./task-edits";
import { DESCRIPTION, TITLE } from "./task-edits";
import { type TextEdit, useTextEdit } from "./use-text-edit";

const TITLE_TEXT = "font-display font-semibold text-h3 leading-[26px] tracking-[-0.02em] [overflow-wrap:anywhere]";

/** The title, always ready to be edited: leaving it or Enter saves, Escape restores. */
export function TaskTitle(part: TaskPart) {
  if (part.project.canEdit) return <TitleInput {...part} />;
  return (
    <p dir="auto" className={cn("mt-1.5", TITLE_TEXT)}>
      {part.task.title}
    </p>
  );
}

function TitleInput({ task, taskKey }: TaskPart) {
  const edit = useTextEdit({ task, taskKey, field: TITLE });
  const troubleId = useId();
  function onKeyDown(event: KeyboardEvent<HTMLTextAreaElement>): void {
    if (event.key === "Enter" && !isComposing(event)) {
      event.preventDefault();
      edit.commit();
    }
    restoreOnEscape(event, edit);
  }
  return (
    <div data-field="" className="relative mt-1">
      <textarea
        dir="auto"
        aria-label={TITLE.label}
        aria-invalid={edit.complaint ? true : undefined}
        aria-describedby={troubleId}
        value={edit.text}
        rows={Math.max(1, Math.ceil(edit.text.length / 32))}
        onChange={({ target }) => edit.type(target.value.replace(/\s*\n\s*/g, " "))}
        onBlur={edit.commit}
        onKeyDown={onKeyDown}
        enterKeyHint="done"
        className={cn(
          TITLE_TEXT,
          "field-sizing-content -mx-2 block w-[calc(100%+16px)] resize-none rounded-control bg-transparent px-2 py-1 transition-colors duration-90 ease-out",
          "hover:bg-hover focus:bg-field focus-visible:-outline-offset-1 aria-invalid:outline-red",
        )}
      />
      <div id={troubleId}>
        <TextTrouble label={TITLE.label} edit={edit} />
      </div>
      <SavedMark saving={edit.saving} className="pointer-events-none absolute end-0 -top-6" />
    </div>
  );
}

/** The description as it reads; a button or a click turns it into a text field. */
export function TaskDescription({ task, project, taskKey }: TaskPart) {
  const edit = useTextEdit({ task, taskKey, field: DESCRIPTION });
  const [isOpen, setOpen] = useState(false);
  const isEditing = useSteady(project.canEdit && (isOpen || edit.isTyped));
  const button = useRef<HTMLButtonElement>(null);
  const labelId = useId();
  useNextFocus(isEditing, button);
  const close = () => setOpen(false);
  return (
    <section aria-labelledby={labelId} className="group/description mt-2">
      <div className="flex min-h-7 items-center gap-2">
        <h3 id={labelId} className="font-medium font-sans text-dense text-ink2 tracking-normal">
          {DESCRIPTION.label}
        </h3>
        {project.canEdit && !isEditing && (
          <IconButton
            ref={button}
            icon={Pencil}
            label="Edit description"
            size="sm"
            onClick={() => setOpen(true)}
            className="-my-2 pointer-fine:not-focus-visible:not-group-hover/description:opacity-0"
          />
        )}
        <SavedMark saving={edit.saving} className="ms-auto" />
      </div>
      {isEditing ? (
        <DescriptionInput
          edit={edit}
          labelId={labelId}
          takesFocus={isOpen}
          onLeave={() => setOpen(false)}
          onDone={close}
        />
      ) : (
        <DescriptionText text={task.description} onEdit={project.canEdit ? () => setOpen(true) : undefined} />
      )}
    </section>
  );
}

function DescriptionText({ text, onEdit }: { text: string; onEdit: (() => void) | undefined }) {
  function onClick(event: MouseEvent): void {
    // A link is followed, and text is selected to be copied.
    if (event.target instanceof Element && event.target.closest("a,button")) return;
    if (window.getSelection()?.isCollapsed) onEdit?.();
  }
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: a shortcut of the button above, for the mouse.
    // biome-ignore lint/a11y/noStaticElementInteractions: as above.
    <div
      dir="auto"
      onClick={onEdit && onClick}
      className={cn(
        "-mx-2 rounded-control px-2 py-1 text-body",
        onEdit && "cursor-text transition-colors duration-90 ease-out hover:bg-hover",
      )}
    >
      <MarkdownText text={text} />
    </div>
  );
}

type DescriptionInputProps = {
  edit: TextEdit;
  labelId: string;
  /** Just opened by the person. Text that was kept does not take the focus. */
  takesFocus: boolean;
  /** The focus has gone elsewhere. */
  onLeave: () => void;
  /** Saved or given up from within. */
  onDone: () => void;
};

function DescriptionInput({ edit, labelId, takesFocus, onLeave, onDone }: DescriptionInputProps) {
  const input = useRef<HTMLTextAreaElement>(null);
  const troubleId = useId();
  const [isAsking, setAsking] = useState(false);
  useEffect(() => {
    const field = input.current;
    if (!takesFocus || !field) return;
    field.focus();
    field.setSelectionRange(field.value.length, field.value.length);
  }, [takesFocus]);
  function save(): void {
    edit.commit();
    onDone();
  }
  function onKeyDown(event: KeyboardEvent<HTMLTextAreaElement>): void {
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey) && !isComposing(event)) {
      event.preventDefault();
      save();
    }
    if (event.key !== "Escape" || isComposing(event)) return;
    keepToItself(event);
    if (edit.isChanged) setAsking(true);
    else discard();
  }
  function discard(): void {
    setAsking(false);
    edit.restore();
    onDone();
  }
  function onBlur({ relatedTarget, currentTarget }: FocusEvent): void {
    if (isAsking || currentTarget.contains(relatedTarget)) return;
    edit.commit();
    onLeave();
  }
  const keepFocus = (event: MouseEvent) => event.preventDefault();
  return (
    <form
      data-field=""
      aria-labelledby={labelId}
      onBlur={onBlur}
      onSubmit={(event) => {
        event.preventDefault();
        save();
      }}
    >
      <textarea
        ref={input}
        dir="auto"
        aria-labelledby={labelId}
        aria-invalid={edit.complaint ? true : undefined}
        aria-describedby={troubleId}
        value={edit.text}
        rows={Math.max(4, edit.text.split("\n").length)}
        onChange={({ target }) => edit.type(target.value)}
        onKeyDown={onKeyDown}
        className="field-sizing-content -mx-2 block max-h-[60dvh] min-h-24 w-[calc(100%+16px)] resize-y rounded-control border border-line-strong bg-field px-2 py-1 text-reading focus-visible:-outline-offset-1 aria-invalid:border-red sm:text-body"
      />
      <div id={troubleId}>
        <TextTrouble label={DESCRIPTION.label} edit={edit} />
      </div>
      <div className="mt-2 flex items-center justify-end gap-2">
        <Button size="sm" variant="quiet" onMouseDown={keepFocus} onClick={discard}>
          Cancel
        </Button>
        <Button size="sm" type="submit">
          Save
        </Button>
      </div>
      <DiscardDialog open={isAsking} onOpenChange={setAsking} onDiscard={discard} finalFocus={input} />
    </form>
  );
}

/** Under a text: what is wrong with it, that it was not saved, or what somebody else has made of it meanwhile. */
function TextTrouble({ label, edit }: { label: string; edit: TextEdit }) {
  const { complaint, theirs, saving, insist, restore, commit, isFound } = useSteady(edit);
  if (complaint) {
    return (
      <p role="alert" className="mt-1 text-dense text-red">
        {complaint}
      </p>
    );
  }
  if (theirs !== null) return <FieldConflict label={label} theirs={theirs} onInsist={insist} onTake={restore} />;
  if (saving.state === "refused") return <NotSaved label={label} message={saving.message} onRetry={commit} />;
  return (
    isFound && <NotSaved label={label} message={GENERAL_MESSAGES.typedIsKept} onRetry={commit} retryLabel="Save" />
  );
}

function restoreOnEscape(event: KeyboardEvent, edit: TextEdit): void {
  if (event.key !== "Escape" || isComposing(event) || !edit.isTyped) return;
  keepToItself(event);
  edit.restore();
}

/** The panel around listens on the document. */
function keepToItself(event: KeyboardEvent): void {
  event.preventDefault();
  event.stopPropagation();
}
