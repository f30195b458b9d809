import { TASK_PRIORITIES } from "@db/enums";
import { PRIORITY_LABELS } from "@server/contract/labels";
import { acceptRequestSchema } from "@server/contract/requests";
import type { Request } from "@server/contract/views";
import { useEffect, useRef, useState } from "react";
import { useMe } from "@/features/auth/use-auth";
import { LabelsField } from "@/features/labels/labels-field";
import { useProject } from "@/features/projects/use-projects";
import { AssigneesField, ownError, RequiredNotice } from "@/features/tasks/task-fields";
import { useUnsavedForm } from "@/lib/unsaved-forms";
import { useCheckedForm } from "@/lib/use-checked-form";
import { Field } from "@/ui/field";
import { FormButtons } from "@/ui/form-buttons";
import { Select } from "@/ui/select";
import { useSteady } from "@/ui/steady";
import { TextArea } from "@/ui/text-area";
import { TextInput } from "@/ui/text-input";
import { type AcceptDraft, acceptDraftKey, readAcceptDraft, writeAcceptDraft } from "./accept-draft";
import { URGENCY_LABELS } from "./request-text";
import type { useDecisions } from "./use-request-actions";

type AcceptFormProps = {
  request: Request;
  accept: ReturnType<typeof useDecisions>["accept"];
  onDone: () => void;
};

/**
 * The task that a request becomes: begins with its title, text and urgency, and with whoever accepts it. What was changed is a draft
 * of this tab until it is saved.
 */
export function AcceptForm({ request, accept, onDone }: AcceptFormProps) {
  const me = useMe();
  // A field that comes late must not move the button away from a press.
  const project = useSteady(useProject(request.projectId).data);
  const key = acceptDraftKey(me.id, request.id);
  const [kept] = useState(() => readAcceptDraft(key));
  const [fields, setFields] = useState(() => kept ?? taskOf(request, me.id));
  const latest = useRef(fields);
  const [isDirty, setDirty] = useState(kept !== null);
  const { errors, clearErrors, send } = useCheckedForm({
    schema: acceptRequestSchema,
    mutation: accept,
    part: "task",
    drawn: ["title", "description", "dueDate", "priority", "labelIds", ...(project ? (["assignedTo"] as const) : [])],
    onSent() {
      writeAcceptDraft(key, null);
      setDirty(false);
      onDone();
    },
  });
  useUnsavedForm(() => isDirty);
  const title = useRef<HTMLInputElement>(null);
  const isOpened = kept === null;
  useEffect(() => {
    // A form that comes back with the page does not take the focus.
    if (!isOpened) return;
    // With the caret at its end a long title would show its end.
    title.current?.setSelectionRange(0, 0);
    title.current?.focus();
  }, [isOpened]);
  function change(changes: Partial<AcceptDraft>): void {
    const next = { ...latest.current, ...changes };
    latest.current = next;
    setFields(next);
    setDirty(true);
    clearErrors();
    writeAcceptDraft(key, next);
  }
  const message = (field: keyof AcceptDraft) => ({ message: errors[field] });
  return (
    <form
      noValidate
      aria-label="Accept request"
      onSubmit={(event) => void send(event, { requestId: request.id, task: fields })}
      className="grid gap-3"
    >
      <h3 className="font-sans font-semibold text-reading tracking-normal">New task</h3>
      <RequiredNotice complaints={[message("title"), message("description")]} />
      <Field label="Title" error={ownError(message("title"))} required>
        <TextInput
          ref={title}
          dir="auto"
          autoComplete="off"
          aria-invalid={Boolean(errors.title)}
          value={fields.title}
          onChange={({ target }) => change({ title: target.value })}
        />
      </Field>
      <Field label="Description" error={ownError(message("description"))} required>
        <TextArea
          dir="auto"
          rows={5}
          aria-invalid={Boolean(errors.description)}
          value={fields.description}
          onChange={({ target }) => change({ description: target.value })}
        />
      </Field>
      {project && (
        <AssigneesField
          project={project}
          present={[{ ...me, name: me.displayName }]}
          error={errors.assignedTo}
          value={fields.assignedTo}
          onChange={(assignedTo) => change({ assignedTo })}
        />
      )}
      <div className="grid items-start gap-3 sm:grid-cols-2">
        <Field label="Due date" mark="optional" error={errors.dueDate}>
          <TextInput type="date" value={fields.dueDate} onChange={({ target }) => change({ dueDate: target.value })} />
        </Field>
        <Field
          label="Priority"
          error={errors.priority}
          hint={`Urgency for the client: ${URGENCY_LABELS[request.urgency]}`}
        >
          <Select
            value={fields.priority}
            onChange={({ target }) => {
              const priority = TASK_PRIORITIES.find((one) => one === target.value);
              if (priority) change({ priority });
            }}
          >
            {TASK_PRIORITIES.map((one) => (
              <option key={one} value={one}>
                {PRIORITY_LABELS[one]}
              </option>
            ))}
          </Select>
        </Field>
      </div>
      <div className="min-w-0">
        <LabelsField value={fields.labelIds} error={errors.labelIds} onChange={(labelIds) => change({ labelIds })} />
      </div>
      <FormButtons submit="Create task" busyLabel="Creating..." busy={accept.isPending} onCancel={onDone} />
    </form>
  );
}

/** How urgent it is for the client says how it may stand among the tasks; a normal one needs no priority. */
function taskOf({ title, text, urgency }: Request, userId: string): AcceptDraft {
  const priority = urgency === "normal" ? "none" : urgency;
  return { title, description: text, dueDate: "", priority, labelIds: [], assignedTo: [userId] };
}
