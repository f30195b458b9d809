import { toTaskSchema } from "@server/contract/chat";
import type { Project } from "@server/contract/views";
import { useId, useState } from "react";
import { involves } from "@/features/projects/project-roles";
import { useDiscardGuard } from "@/features/projects/use-discard-guard";
import { titleOf } from "@/lib/title-of";
import { useCheckedForm } from "@/lib/use-checked-form";
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
  const make = useMakeTask();
  const { errors, clearErrors, send } = useCheckedForm({
    schema: toTaskSchema,
    mutation: make,
    drawn: ["projectId", "title"],
    onSent: onClose,
  });
  const guard = useDiscardGuard({ isDirty: title !== first && !make.isSuccess, isBusy: make.isPending });
  const chosen = choices.find(({ id }) => id === projectId);
  return (
    <Dialog
      open
      size="sm"
      onOpenChange={(next) => !next && guard.leave(onClose)}
      title="Make a task"
      description="The message becomes its description and shows the task's status."
      footer={
        <>
          <Button variant="quiet" aria-disabled={make.isPending} onClick={() => guard.leave(onClose)}>
            Cancel
          </Button>
          <Button variant="primary" type="submit" form={formId} busy={make.isPending} busyLabel="Creating...">
            Create task
          </Button>
        </>
      }
    >
      <form
        id={formId}
        noValidate
        onSubmit={(event) => void send(event, { messageId: message.id, projectId, title })}
        className="grid gap-4"
      >
        <Field
          label="Project"
          error={errors.projectId}
          hint={chosen && !ofPartner(chosen) ? `${partner.name} can't see this project or the task.` : undefined}
          required
        >
          <Select
            value={projectId}
            onChange={({ target }) => {
              setProjectId(target.value);
              clearErrors();
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
              clearErrors();
            }}
          />
        </Field>
      </form>
      {guard.question}
    </Dialog>
  );
}
