import type { ChecklistItem, Task } from "@server/contract/views";
import { useState } from "react";
import * as z from "zod/mini";
import { useMe } from "@/features/auth/use-auth";
import { commentDraftKey, readCommentDraft, unsavedEdits } from "@/features/comments/comment-draft";
import { readDraft, writeDraft } from "@/lib/session-draft";
import { useUnsavedForm } from "@/lib/unsaved-forms";
import { CHECKLIST, DESCRIPTION, type TaskField, TITLE } from "./task-edits";

/* What was typed on a task's page and is not saved, as drafts of this tab. */

/** Identifies this module as the writer: no other form in the tab shows these drafts. */
const WRITER = {};

/** Text that was typed into a field and is not saved. */
export interface TypedText {
  text: string;
  /** The field's text when it began. */
  base: string;
}

/** Where the edit of a field is kept. */
export function fieldDraftKey(userId: string, taskId: string, { label }: Pick<TaskField<unknown>, "label">): string {
  return `draft-task-${label.toLowerCase()}-${userId}-${taskId}`;
}

const typedSchema = z.object({ text: z.string(), base: z.string() });

export function parseTyped(stored: unknown): TypedText | null {
  const { success, data } = z.safeParse(typedSchema, stored);
  return success ? data : null;
}

/** An edit that the server did not take. */
export interface KeptEdit<Value> {
  value: Value;
  /** What it changes. */
  base: Value;
}

/** The edit of a field that was not saved, of this visit or an earlier one; always null for fields without text. */
export function useKeptEdit<Value>(taskId: string, field: TaskField<Value>) {
  const key = fieldDraftKey(useMe().id, taskId, field);
  const [kept, setKept] = useState(() => readDraft(key, (stored) => parseKept(stored, field)));
  function keep(next: KeptEdit<Value> | null): void {
    if (!field.parse) return;
    writeDraft(key, next, WRITER);
    setKept(next);
  }
  return [kept, keep] as const;
}

/** One line that is being typed, null when there is none: survives a reload, and the end of the session. */
export function useKeptLine(ownerId: string) {
  const key = lineKey(useMe().id, ownerId);
  const [line, setLine] = useState(() => readDraft(key, parseLine));
  useUnsavedForm(() => line !== null);
  function type(next: string | null): void {
    writeDraft(key, next === null ? null : { text: next }, WRITER);
    setLine(next);
  }
  return [line, type] as const;
}

/** Takes the line that is kept of something that is gone; null when there is none. */
export function takeLine(userId: string, ownerId: string): string | null {
  const key = lineKey(userId, ownerId);
  const line = readDraft(key, parseLine);
  if (line !== null) writeDraft(key, null, WRITER);
  return line;
}

/** What was typed on the task's page and is not saved. */
export function unsavedTexts(userId: string, task: Pick<Task, "id" | "checklist">): string[] {
  const texts = [TITLE, DESCRIPTION].flatMap(
    (field) => readDraft(fieldDraftKey(userId, task.id, field), parseTyped)?.text ?? [],
  );
  const kept = readDraft(fieldDraftKey(userId, task.id, CHECKLIST), (stored) => parseKept(stored, CHECKLIST));
  const items = kept ? newTexts(kept) : [];
  const lines = [...task.checklist, task].flatMap(({ id }) => readDraft(lineKey(userId, id), parseLine) ?? []);
  const { text } = readCommentDraft(commentDraftKey(userId, { taskId: task.id }));
  const edits = unsavedEdits(userId, { taskId: task.id });
  return [...texts, ...items, ...lines, ...edits, text].filter((one) => one.trim() !== "");
}

/** The lines of a checklist that were added or written in that edit. */
function newTexts({ value, base }: KeptEdit<ChecklistItem[]>): string[] {
  const known = new Set(base.map(({ text }) => text));
  return value.flatMap(({ text }) => (known.has(text) ? [] : text));
}

function parseKept<Value>(stored: unknown, { parse }: TaskField<Value>): KeptEdit<Value> | null {
  if (!parse || typeof stored !== "object" || stored === null) return null;
  const edit: Partial<Record<keyof KeptEdit<Value>, unknown>> = stored;
  const [value, base] = [parse(edit.value), parse(edit.base)];
  return value === null || base === null ? null : { value, base };
}

function lineKey(userId: string, ownerId: string): string {
  return `draft-task-line-${userId}-${ownerId}`;
}

const lineSchema = z.object({ text: z.string() });

function parseLine(stored: unknown): string | null {
  const { success, data } = z.safeParse(lineSchema, stored);
  return success ? data.text : null;
}
