import { toTaskSchema } from "@server/contract/chat";
import type { Project } from "@server/contract/views";
import { type FormEvent, useId, useState } from "react";
import { involves } from "@/features/projects/project-roles";
import { useDiscardGuard } from "@/features/projects/use-discard-guard";
import { titleOf } from "@/lib/title-of";
import { fieldErrorsOf } from "@/lib/user-message";
import { Button } from "@/ui/button";
import { Dialog } from "@/ui/dialog";
import { Field } from "@/ui/field";
import { Select } from "@/ui/select";
import { TextInput } from "@/ui/text-input";
import type { ThreadMessage } from "./thread";
import type { ThreadPeople } from "./thread-people";
import { useMakeTask } from "./use-chat";

type MakeTaskFormProps = {
  message: ThreadMessage;
  partner: ThreadPeople["partner"];
  /** Those of the partner come first. */
  projects: readonly Project[];
  onClose: () => void;
};

/** "Make a task" of a message: its text becomes the description, its first line the title to begin with. */
export function MakeTaskForm({ message, partner, projects, onClose }: MakeTaskFormProps) {
  const formId = useId();
  const ofPartner = (project: Project) => involves(project, partner.id);
  const choices = [...projects.filter(ofPartner), ...projects.filter((project) => !ofPartner(project))];
  const [projectId, setProjectId] = useState(choices[0]?.id ?? "");
  const [first] = useState(() => titleOf(message.text));
  const [title, setTitle] = useState(first);
  const [errors, setErrors] = useState<Partial<Record<string, string>>>({});
  const make = useMakeTask();
  const guard = useDiscardGuard({ isDirty: title !== first && !make.isSuccess });
  const chosen = choices.find(({ id }) => id === projectId);

  async function send(event: FormEvent): Promise<void> {
    event.preventDefault();
    if (make.isPending) return;
    const { success, data, error } = toTaskSchema.safeParse({ messageId: message.id, projectId, title });
    if (!success) return setErrors({ [String(error.issues[0]?.path[0])]: error.issues[0]?.message });
    try {
      await make.mutateAsync(data);
      onClose();
    } catch (refused) {
      setErrors(fieldErrorsOf(refused));
    }
  }
  return (
    <Dialog
      open
      size="sm"
      onOpenChange={(next) => !next && guard.leave(onClose)}
      title="Make a task"
      description="The message becomes its description, and shows how far it is."
      footer={
        <>
          <Button variant="quiet" onClick={() => guard.leave(onClose)}>
            Cancel
          </Button>
          <Button variant="primary" type="submit" form={formId} busy={make.isPending} busyLabel="Creating...">
            Create task
          </Button>
        </>
      }
    >
      <form id={formId} noValidate onSubmit={(event) => void send(event)} className="grid gap-4">
        <Field
          label="Project"
          error={errors.projectId}
          hint={chosen && !ofPartner(chosen) ? `${partner.name} doesn't see this project, nor the task.` : undefined}
          required
        >
          <Select
            value={projectId}
            onChange={({ target }) => {
              setProjectId(target.value);
              setErrors({});
            }}
          >
            {choices.map(({ id, title }) => (
              <option key={id} value={id}>
                {title}
              </option>
            ))}
          </Select>
        </Field>
        <Field label="Title" error={errors.title} required>
          <TextInput
            dir="auto"
            autoComplete="off"
            value={title}
            onChange={({ target }) => {
              setTitle(target.value);
              setErrors({});
            }}
          />
        </Field>
      </form>
      {guard.question}
    </Dialog>
  );
}
