import { taskPatchSchema } from "@server/contract/tasks";
import { useRef, useState } from "react";
import * as z from "zod/mini";
import { useMe } from "@/features/auth/use-auth";
import { useDraft } from "@/lib/session-draft";
import { useUnsavedForm } from "@/lib/unsaved-forms";
import { fieldDraftKey, parseTyped, type TypedText } from "./task-drafts";
import { type FieldOptions, useFieldSave } from "./use-field-save";

/**
 * The text of a field that is edited in place. What is typed survives a closed page, a reload and a failure, and never overwrites
 * somebody else's edit without a question.
 */
export function useTextEdit(options: FieldOptions<string>) {
  const { task, field } = options;
  const saving = useFieldSave(options);
  const live = field.of(task);
  const draft = useDraft({ key: fieldDraftKey(useMe().id, task.id, field), parse: parseTyped, onOther: show });
  const [typed, setTyped] = useState(() => draft.read());
  const latest = useRef(typed);
  /** What was typed on while a save was on its way is to be saved as well. */
  const isWantedAgain = useRef(false);
  /** Of an earlier visit: nobody has touched it since. */
  const [isFound, setFound] = useState(typed !== null);
  const [complaint, setComplaint] = useState<string | null>(null);
  useUnsavedForm(() => typed !== null);
  const isSaving = saving.state === "saving";
  const theirs = typed && !isSaving && live !== typed.base && live !== typed.text.trim() ? live : null;

  function show(next: TypedText | null): void {
    latest.current = next;
    setTyped(next);
    setFound(false);
    setComplaint(null);
  }
  function keep(next: TypedText | null): void {
    draft.write(next);
    show(next);
  }
  async function save(base: string): Promise<void> {
    if (!typed) return;
    // Enter has sent it, and the field is left before the answer.
    if (isSaving) isWantedAgain.current = true;
    else await send(typed.text, base);
  }
  async function send(text: string, base: string): Promise<void> {
    const value = text.trim();
    const { success, error } = z.safeParse(taskPatchSchema, field.patch(value));
    if (!success) return setComplaint(error.issues[0]?.message ?? null);
    if (value === base && value === live) return keep(null);
    const isSaved = await saving.save(value, base);
    const now = latest.current;
    const isMore = isWantedAgain.current;
    isWantedAgain.current = false;
    if (!isSaved || !now) return;
    if (now.text.trim() === value) return keep(null);
    // Typed on meanwhile.
    keep({ text: now.text, base: value });
    if (isMore) await send(now.text, value);
  }
  return {
    /** What the field shows. */
    text: typed?.text ?? live,
    isTyped: typed !== null,
    /** Leaving it without saving would lose something. */
    isChanged: typed !== null && typed.text.trim() !== live,
    isFound: isFound && saving.state === "none",
    type: (text: string) => keep({ text, base: typed?.base ?? live }),
    /** Saves what was typed, unless somebody else has changed the field meanwhile. */
    commit: () => void (typed && theirs === null && save(typed.base)),
    restore: () => keep(null),
    complaint,
    /** What somebody else has made of it meanwhile; null when there is nothing to choose. */
    theirs,
    /** One's own text over theirs. */
    insist: () => void save(live),
    saving,
  };
}

export type TextEdit = ReturnType<typeof useTextEdit>;
