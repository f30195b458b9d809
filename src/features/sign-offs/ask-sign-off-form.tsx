import { SIGN_OFF_MESSAGES } from "@server/contract/messages/sign-offs";
import { askSignOffSchema } from "@server/contract/sign-offs";
import type { Project } from "@server/contract/views";
import { type FormEvent, useEffect, useId, useRef, useState } from "react";
import * as z from "zod/mini";
import { useMe } from "@/features/auth/use-auth";
import { peopleOf } from "@/features/projects/project-people";
import { statusMeta } from "@/features/projects/project-status";
import { useTasks } from "@/features/tasks/use-tasks";
import { readDraft, writeDraft } from "@/lib/session-draft";
import { useUnsavedForm } from "@/lib/unsaved-forms";
import { useCheckedForm } from "@/lib/use-checked-form";
import { messageOf } from "@/lib/user-message";
import { Checkbox } from "@/ui/checkbox";
import { Complaint } from "@/ui/complaint";
import { Delayed } from "@/ui/delayed";
import { ErrorState } from "@/ui/error-state";
import { Field } from "@/ui/field";
import { FormButtons } from "@/ui/form-buttons";
import { Select } from "@/ui/select";
import { Skeleton } from "@/ui/skeleton";
import { useSteady } from "@/ui/steady";
import { TextArea } from "@/ui/text-area";
import { useAskSignOff } from "./use-sign-off-actions";

const draftSchema = z.object({
  scope: z.enum(["project", "tasks"]),
  taskIds: z.array(z.string()),
  note: z.string(),
  signerId: z.string(),
});
type Draft = z.output<typeof draftSchema>;

function parseDraft(stored: unknown): Draft | null {
  return draftSchema.safeParse(stored).data ?? null;
}

/** Identifies this module as the writer: no other form in the tab shares these drafts. */
const WRITER = {};

type AskSignOffFormProps = { project: Project; onClose: () => void };

/** Asks the client, or one of its people, to sign off. What was typed stays when it is closed or refused. */
export function AskSignOffForm({ project, onClose }: AskSignOffFormProps) {
  const key = `ask-sign-off:${useMe().id}:${project.id}`;
  const blank: Draft = { scope: "project", taskIds: [], note: "", signerId: project.clientId ?? "" };
  const [fields, setFields] = useState(() => readDraft(key, parseDraft) ?? blank);
  const ask = useAskSignOff();
  const { errors, clearErrors, send } = useCheckedForm({
    schema: askSignOffSchema,
    mutation: ask,
    drawn: ["note", "signerId", ...(fields.scope === "tasks" ? (["taskIds"] as const) : [])],
    onSent() {
      writeDraft(key, null, WRITER);
      onClose();
    },
  });
  const form = useRef<HTMLFormElement>(null);
  useUnsavedForm(() => fields.note.trim() !== "");
  // In the place of the button that was pressed for it.
  useEffect(() => form.current?.querySelector("select")?.focus(), []);
  const signers = [...(project.client ? [project.client] : []), ...peopleOf(project, project.clientPeople)];
  const signerId = signers.some(({ id }) => id === fields.signerId) ? fields.signerId : project.clientId;
  const { data: tasks } = useTasks(project.id);
  // A task deleted meanwhile has no checkbox left that could take it out again.
  const taskIds = tasks ? fields.taskIds.filter((chosen) => tasks.some(({ id }) => id === chosen)) : fields.taskIds;
  function change(changes: Partial<Draft>): void {
    const next = { ...fields, ...changes };
    setFields(next);
    clearErrors();
    writeDraft(key, next, WRITER);
  }
  function submit(event: FormEvent): void {
    const { scope, note } = fields;
    const what = scope === "project" ? { all: true } : { taskIds };
    // The rule about both fields is judged only once each field is right by itself.
    const hasNoTasks = scope === "tasks" && taskIds.length === 0;
    void send(
      event,
      { projectId: project.id, ...what, note, ...(signerId && { signerId }) },
      hasNoTasks ? { taskIds: SIGN_OFF_MESSAGES.chooseTasks } : {},
    );
  }
  return (
    <form
      ref={form}
      noValidate
      aria-label="Ask for sign-off"
      onSubmit={submit}
      className="grid gap-4 rounded-control bg-sunken p-4"
    >
      <Field label="What is signed">
        <Select
          value={fields.scope}
          onChange={({ target }) => change({ scope: target.value === "tasks" ? "tasks" : "project" })}
        >
          <option value="project">The whole project</option>
          <option value="tasks">Chosen tasks</option>
        </Select>
      </Field>
      {fields.scope === "tasks" && (
        <TaskChoice
          project={project}
          chosen={taskIds}
          error={errors.taskIds}
          onChange={(next) => change({ taskIds: next })}
        />
      )}
      <Field
        label="Question"
        required
        error={errors.note}
        hint="The client reads it, and it becomes part of the record."
      >
        <TextArea dir="auto" rows={4} value={fields.note} onChange={({ target }) => change({ note: target.value })} />
      </Field>
      <Field label="Who signs" error={errors.signerId}>
        <Select value={signerId ?? ""} onChange={({ target }) => change({ signerId: target.value })}>
          {signers.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </Select>
      </Field>
      <FormButtons
        submit="Ask"
        busyLabel="Asking..."
        busy={ask.isPending}
        error={ask.error}
        failed={SIGN_OFF_MESSAGES.askFailed}
        onCancel={onClose}
      />
    </form>
  );
}

type TaskChoiceProps = {
  project: Project;
  chosen: readonly string[];
  error: string | undefined;
  onChange: (taskIds: string[]) => void;
};

function TaskChoice({ project, chosen, error, onChange }: TaskChoiceProps) {
  const errorId = useId();
  // What arrives late moves nothing under a press.
  const { data, isPending, isFetching, error: failure, refetch } = useSteady(useTasks(project.id));
  return (
    <fieldset aria-describedby={error && errorId} className="min-w-0">
      <legend className="font-medium text-dense">Tasks</legend>
      <div className="mt-1 grid max-h-64 overflow-y-auto">
        <Delayed
          pending={data === undefined && isPending}
          label="Loading tasks"
          skeleton={<TaskChoiceSkeleton lines={project.taskCounts.total} />}
        >
          {() => {
            if (!data)
              return (
                <ErrorState
                  message={messageOf(failure)}
                  busy={isFetching}
                  onRetry={() => void refetch()}
                  className="py-4"
                />
              );
            if (data.length === 0) return <p className="text-ink2">This project has no tasks.</p>;
            return data.map(({ id, number, title, status }) => (
              <Checkbox
                key={id}
                label={
                  <>
                    <span className="text-ink3">{`${project.key}-${number}`}</span> <span dir="auto">{title}</span>
                    <span className="text-ink2"> · {statusMeta(status).label}</span>
                  </>
                }
                aria-invalid={error ? true : undefined}
                checked={chosen.includes(id)}
                onChange={({ target }) =>
                  onChange(target.checked ? [...chosen, id] : chosen.filter((taskId) => taskId !== id))
                }
              />
            ));
          }}
        </Delayed>
      </div>
      <Complaint id={errorId} className="mt-1">
        {error}
      </Complaint>
    </fieldset>
  );
}

/** As high as the checkboxes that come. */
function TaskChoiceSkeleton({ lines }: { lines: number }) {
  return Array.from({ length: lines }, (_, line) => line).map((line) => (
    <div key={line} className="flex h-11 items-center pointer-fine:h-8">
      <Skeleton className="h-5 w-3/5" />
    </div>
  ));
}
