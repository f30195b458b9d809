import { TASK_PRIORITIES } from "@db/enums";
import { PRIORITY_LABELS } from "@server/contract/labels";
import type { Project, Task } from "@server/contract/views";
import { type ReactNode, useId } from "react";
import { LabelChips } from "@/features/labels/label-chips";
import { LabelsField } from "@/features/labels/labels-field";
import { useLabels } from "@/features/labels/use-labels";
import { DueLabel } from "@/features/projects/due-label";
import { namesOf } from "@/features/projects/project-labels";
import { peopleOf } from "@/features/projects/project-people";
import { cn } from "@/lib/cn";
import { Avatar } from "@/ui/avatar";
import { Field } from "@/ui/field";
import { Select } from "@/ui/select";
import { DueDateField } from "./due-date-field";
import { PriorityMark } from "./priority";
import { FieldTrouble, SavedMark } from "./save-state";
import type { TaskPart } from "./task-edits";
import { ASSIGNEES, DUE_DATE, LABELS, PRIORITY } from "./task-edits";
import { AssigneesField } from "./task-fields";
import { useFieldSave } from "./use-field-save";
import { useSelectEdit } from "./use-select-edit";
import { TaskCommits } from "./use-task-commits";

/** Its labels read as the headings beside it. With a mouse a control shows its box when it is near: what it says reads like text. */
const QUIET = [
  "[&_label]:text-ink2",
  "pointer-fine:[&_[data-control]:not(:hover,:focus,:focus-within)]:border-transparent",
  "pointer-fine:[&_[data-control]:not(:hover,:focus,:focus-within)]:bg-transparent",
  "pointer-fine:[&_[data-control]]:-ms-2.5 pointer-fine:[&_[data-control]]:w-[calc(100%+10px)]",
].join(" ");

/** Who, until when, how urgent, which labels, and what was committed. */
export function TaskProperties({ className, ...part }: TaskPart & { className?: string }) {
  const Properties = part.project.canEdit ? EditableProperties : ReadProperties;
  return (
    <aside aria-label="Properties" className={cn("grid min-w-0 content-start gap-4", QUIET, className)}>
      <Properties {...part} />
      <TaskCommits {...part} />
    </aside>
  );
}

function EditableProperties(part: TaskPart) {
  return (
    <div className="grid gap-4 min-[480px]:max-sm:grid-cols-2 *:max-sm:first:col-span-full *:max-sm:last:col-span-full">
      <Assignees {...part} />
      <DueDateField {...part} />
      <Priority {...part} />
      <Labels {...part} />
    </div>
  );
}

function Assignees({ task, project, taskKey }: TaskPart) {
  const saving = useFieldSave({ task, taskKey, field: ASSIGNEES });
  return (
    <div data-field="" className="min-w-0">
      <AssigneesField
        project={project}
        present={peopleOf(project, task.assignedTo)}
        error={undefined}
        value={saving.shown}
        onChange={(ids) => void saving.save(ids)}
        aside={<SavedMark saving={saving} />}
      />
      <FieldTrouble
        label={ASSIGNEES.label}
        saving={saving}
        live={task.assignedTo}
        describe={(ids) => namesOf(project, ids)}
      />
    </div>
  );
}

function Priority({ task, taskKey }: TaskPart) {
  const saving = useFieldSave({ task, taskKey, field: PRIORITY });
  const edit = useSelectEdit({
    choices: TASK_PRIORITIES,
    chosen: saving.shown,
    save: (priority, base) => void saving.save(priority, base),
  });
  return (
    <div data-field="" className="min-w-0">
      <Field label={PRIORITY.label} aside={<SavedMark saving={saving} />}>
        <Select data-control="" value={edit.shown} {...edit.control}>
          {TASK_PRIORITIES.map((priority) => (
            <option key={priority} value={priority}>
              {PRIORITY_LABELS[priority]}
            </option>
          ))}
        </Select>
      </Field>
      <FieldTrouble
        label={PRIORITY.label}
        saving={saving}
        live={task.priority}
        describe={(priority) => PRIORITY_LABELS[priority]}
      />
    </div>
  );
}

function Labels({ task, taskKey }: TaskPart) {
  const saving = useFieldSave({ task, taskKey, field: LABELS });
  const labels = useLabels();
  const namesOfLabels = (ids: readonly string[]) =>
    ids.map((id) => labels.data?.find((label) => label.id === id)?.name ?? "Unknown").join(", ") || "None";
  return (
    <div data-field="" className="min-w-0">
      <LabelsField
        value={saving.shown}
        onChange={(ids) => void saving.save(ids)}
        aside={<SavedMark saving={saving} />}
      />
      <FieldTrouble label={LABELS.label} saving={saving} live={task.labelIds} describe={namesOfLabels} />
    </div>
  );
}

/** The same for those who only read. */
function ReadProperties({ task, project }: TaskPart) {
  return (
    <dl className="grid content-start gap-4 min-[480px]:max-sm:grid-cols-2">
      <Property label={ASSIGNEES.label}>
        <Assigned project={project} task={task} />
      </Property>
      <Property label={DUE_DATE.label}>
        <DueLabel due={task.dueDate} finished={task.completed} prefix="none" />
      </Property>
      <Property label={PRIORITY.label}>
        <PriorityMark priority={task.priority} />
      </Property>
      <Property label={LABELS.label}>
        {task.labelIds.length > 0 ? <LabelChips ids={task.labelIds} /> : <span className="text-ink3">None</span>}
      </Property>
    </dl>
  );
}

function Property({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className="min-w-0">
      <dt className="font-medium text-dense text-ink2">{label}</dt>
      <dd className="mt-1.5 min-w-0 [overflow-wrap:anywhere]">{children}</dd>
    </div>
  );
}

function Assigned({ project, task }: { project: Project; task: Task }) {
  const people = peopleOf(project, task.assignedTo);
  const id = useId();
  if (people.length === 0) return <span className="text-ink3">Nobody</span>;
  return (
    <ul className="grid gap-1.5">
      {people.map(({ id: personId, name, profileImgLink }) => (
        <li key={`${id}-${personId}`} className="flex min-w-0 items-center gap-2">
          <Avatar name={name} src={profileImgLink} size={24} />
          <bdi className="min-w-0 truncate">{name}</bdi>
        </li>
      ))}
    </ul>
  );
}
