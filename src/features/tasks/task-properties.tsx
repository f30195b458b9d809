import { TASK_PRIORITIES } from "@db/enums";
import { PRIORITY_LABELS } from "@server/contract/labels";
import type { Project, Task } from "@server/contract/views";
import { X } from "lucide-react";
import { type KeyboardEvent, type ReactNode, useId, useState } from "react";
import { LabelChips } from "@/features/labels/label-chips";
import { LabelsField } from "@/features/labels/labels-field";
import { useLabels } from "@/features/labels/use-labels";
import { DueLabel } from "@/features/projects/due-label";
import { namesOf } from "@/features/projects/project-labels";
import { peopleOf } from "@/features/projects/project-people";
import { cn } from "@/lib/cn";
import { formatDay } from "@/lib/format";
import { Avatar } from "@/ui/avatar";
import { Field } from "@/ui/field";
import { IconButton } from "@/ui/icon-button";
import { Select } from "@/ui/select";
import { TextInput } from "@/ui/text-input";
import { PriorityMark } from "./priority";
import { FieldTrouble, SavedMark } from "./save-state";
import type { TaskPart } from "./task-edits";
import { ASSIGNEES, DUE_DATE, LABELS, PRIORITY } from "./task-edits";
import { AssigneesField } from "./task-fields";
import { useFieldSave } from "./use-field-save";
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
      <DueDate {...part} />
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

const [EARLIEST, LATEST] = ["2000-01-01", "2100-12-31"];

/** A day is saved as soon as it is whole; an emptied field when it is left, since every part that is typed anew empties it. */
function DueDate({ task, taskKey }: TaskPart) {
  const saving = useFieldSave({ task, taskKey, field: DUE_DATE });
  const [typed, setTyped] = useState<string | null>(null);
  function save(day: string): void {
    setTyped(null);
    if (day !== (saving.shown ?? "")) void saving.save(day || null);
  }
  function type(day: string): void {
    if (day !== "" && EARLIEST <= day && day <= LATEST) save(day);
    else setTyped(day);
  }
  function onKeyDown(event: KeyboardEvent): void {
    if (event.key === "Enter" && typed !== null) save(typed);
    if (event.key !== "Escape" || typed === null) return;
    event.preventDefault();
    event.stopPropagation();
    setTyped(null);
  }
  const due = saving.shown;
  return (
    <div data-field="" className="min-w-0">
      <Field label={DUE_DATE.label} aside={<SavedMark saving={saving} />}>
        <div className="group/due relative">
          <TextInput
            data-control=""
            type="date"
            min={EARLIEST}
            max={LATEST}
            value={typed ?? due ?? ""}
            onChange={({ target }) => type(target.value)}
            onBlur={() => typed !== null && save(EARLIEST <= typed && typed <= LATEST ? typed : "")}
            onKeyDown={onKeyDown}
            className="not-focus:text-transparent"
          />
          {/* The date as it reads everywhere, while nobody edits it. */}
          <span
            aria-hidden="true"
            className="pointer-events-none absolute inset-y-0 start-2.5 end-8 flex items-center text-body pointer-coarse:end-20 group-focus-within/due:hidden pointer-fine:start-0 forced-colors:hidden"
          >
            <DueLabel
              due={due}
              finished={task.completed}
              prefix="none"
              size="none"
              className={cn(!due && "text-ink3")}
            />
          </span>
          {due && (
            <IconButton
              icon={X}
              label="Remove due date"
              size="sm"
              onClick={() => save("")}
              className="absolute end-8 top-1/2 -translate-y-1/2 pointer-fine:bg-field pointer-fine:not-focus-visible:not-group-focus-within/due:not-group-hover/due:opacity-0"
            />
          )}
        </div>
      </Field>
      <FieldTrouble
        label={DUE_DATE.label}
        saving={saving}
        live={task.dueDate}
        describe={(day) => (day ? formatDay(day) : "No date")}
      />
    </div>
  );
}

function Priority({ task, taskKey }: TaskPart) {
  const saving = useFieldSave({ task, taskKey, field: PRIORITY });
  return (
    <div data-field="" className="min-w-0">
      <Field label={PRIORITY.label} aside={<SavedMark saving={saving} />}>
        <Select
          data-control=""
          value={saving.shown}
          onChange={({ target }) => {
            const chosen = TASK_PRIORITIES.find((priority) => priority === target.value);
            if (chosen) void saving.save(chosen);
          }}
        >
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
