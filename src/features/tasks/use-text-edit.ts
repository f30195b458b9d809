import { taskPatchSchema } from "@server/contract/tasks";
import { useRef, useState } from "react";
import * as z from "zod/mini";
import { useMe } from "@/features/auth/use-auth";
import { readDraft, useDraft } from "@/lib/session-draft";
import { useUnsavedForm } from "@/lib/unsaved-forms";
import { DESCRIPTION, type TaskField, TITLE } from "./task-edits";
import { type FieldOptions, useFieldSave } from "./use-field-save";

/** Text that was typed into a field and is not saved. */
interface TypedText {
  text: string;
  /** The field's text when it began. */
  base: string;
}

/**
 * The text of a field that is edited in place. What is typed survives a closed page, a reload and a failure, and never overwrites
 * somebody else's edit without a question.
 */
export function useTextEdit(options: FieldOptions<string>) {
  const { task, field } = options;
  const saving = useFieldSave(options);
  const live = field.of(task);
  const draft = useDraft({ key: draftKey(useMe().id, task.id, field), parse: parseTyped, onOther: show });
  const [typed, setTyped] = useState(() => draft.read());
  const latest = useRef(typed);
  const [complaint, setComplaint] = useState<string | null>(null);
  useUnsavedForm(() => typed !== null);
  const isSaving = saving.state === "saving";
  const theirs = typed && !isSaving && live !== typed.base && live !== typed.text.trim() ? live : null;

  function show(next: TypedText | null): void {
    latest.current = next;
    setTyped(next);
    setComplaint(null);
  }
  function keep(next: TypedText | null): void {
    draft.write(next);
    show(next);
  }
  async function save(base: string): Promise<void> {
    if (!typed || isSaving) return;
    const value = typed.text.trim();
    const { success, error } = z.safeParse(taskPatchSchema, field.patch(value));
    if (!success) return setComplaint(error.issues[0]?.message ?? null);
    if (value === base && value === live) return keep(null);
    const isSaved = await saving.save(value, base);
    const now = latest.current;
    if (!isSaved || !now) return;
    // Typed on meanwhile.
    keep(now.text.trim() === value ? null : { text: now.text, base: value });
  }
  return {
    /** What the field shows. */
    text: typed?.text ?? live,
    isTyped: typed !== null,
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

/** What was typed into a task's texts and is not saved. */
export function unsavedTexts(userId: string, taskId: string): string[] {
  return [TITLE, DESCRIPTION].flatMap((field) => readDraft(draftKey(userId, taskId, field), parseTyped)?.text ?? []);
}

function draftKey(userId: string, taskId: string, { label }: TaskField<string>): string {
  return `draft-task-${label.toLowerCase()}-${userId}-${taskId}`;
}

const typedSchema = z.object({ text: z.string(), base: z.string() });

function parseTyped(stored: unknown): TypedText | null {
  const { success, data } = z.safeParse(typedSchema, stored);
  return success ? data : null;
}
