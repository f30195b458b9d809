import type { Task } from "@server/contract/views";
import { useState } from "react";
import { useMe } from "@/features/auth/use-auth";
import { readDraft } from "@/lib/session-draft";
import { Field } from "@/ui/field";
import { TextArea } from "@/ui/text-area";
import { newTaskKey, parseNewTask, parseTaskDraft, taskDraftKey } from "./task-form-values";

type UnsavedTextProps = {
  projectId: string;
  /** Their last known state. */
  tasks: readonly Task[];
};

/** Unsaved input of someone who has just lost access to the project: to read and copy. */
export function UnsavedText({ projectId, tasks }: UnsavedTextProps) {
  const me = useMe();
  const [texts] = useState(() => {
    const added = readDraft(newTaskKey(me.id, projectId), parseNewTask);
    const edited = tasks.flatMap(({ id }) => readDraft(taskDraftKey(me.id, id), parseTaskDraft)?.typed ?? []);
    return [...edited, ...(added ? [added] : [])].map(({ title, description }) => `${title}\n\n${description}`.trim());
  });
  if (texts.length === 0) return null;
  return (
    <div className="mt-4">
      <Field label="What you typed is still here">
        <TextArea readOnly rows={6} dir="auto" value={texts.join("\n\n")} onFocus={({ target }) => target.select()} />
      </Field>
    </div>
  );
}
