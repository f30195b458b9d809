import { TASK_STATUSES } from "@db/enums";
import { TASK_MESSAGES } from "@server/contract/messages/tasks";
import type { Person, Project } from "@server/contract/views";
import type { KeyboardEvent, ReactNode } from "react";
import { statusMeta } from "@/features/projects/project-status";
import { absentLabel, personOption, Unread } from "@/features/users/people-picker";
import { useAssignable } from "@/features/users/use-users";
import { ChipsCombobox } from "@/ui/chips-combobox";
import { Field } from "@/ui/field";
import { InlineAlert } from "@/ui/inline-alert";
import { useSteady } from "@/ui/steady";
import { assigneesFor, TASK_LABELS } from "./task-form-values";

/* Shared by the add form and the edit form of a task. */

type Complaint = { message?: string | undefined } | undefined;

/** Missing fields are reported once, above the form; other errors appear under their field. */
export function RequiredNotice({ complaints }: { complaints: readonly Complaint[] }) {
  const isShown = useSteady(complaints.some(isMissing));
  return isShown && <InlineAlert tone="red">{TASK_MESSAGES.required}</InlineAlert>;
}

/** The error shown under the field itself. */
export function ownError(complaint: Complaint): string | undefined {
  return isMissing(complaint) ? undefined : complaint?.message;
}

/** The options of a task's status. */
export function StatusOptions() {
  return TASK_STATUSES.map((status) => (
    <option key={status} value={status}>
      {statusMeta(status).label}
    </option>
  ));
}

type AssigneesFieldProps = {
  project: Project;
  /** Also offered: people who have the task already may keep it. */
  present: readonly Person[];
  error: string | undefined;
  value: readonly string[];
  onChange: (value: string[]) => void;
  onBlur?: (() => void) | undefined;
  /** At the right end of the label's line. */
  aside?: ReactNode;
};

/** Who the task is assigned to. */
export function AssigneesField({ project, present, error, value, onChange, onBlur, aside }: AssigneesFieldProps) {
  const assignable = useAssignable();
  const offered = assigneesFor(project, assignable.data);
  const others = present.filter(({ id }) => !offered.some((person) => person.id === id));
  return (
    <Field
      label={TASK_LABELS.assignedTo}
      mark={aside === undefined ? "optional" : undefined}
      aside={aside}
      error={error}
      hint={assignable.isLoadingError && <Unread query={assignable} />}
    >
      <ChipsCombobox
        options={[...offered, ...others].map(personOption)}
        value={value}
        onValueChange={onChange}
        onBlur={onBlur}
        unknownLabel={absentLabel(assignable)}
        emptyLabel={assignable.isPending ? "Loading people" : "No matches"}
      />
    </Field>
  );
}

/** Whether an open list of a combobox handles this Escape. */
export function isForOpenList({ target }: KeyboardEvent): boolean {
  return target instanceof Element && target.closest('[role="combobox"][aria-expanded="true"]') !== null;
}

function isMissing(complaint: Complaint): boolean {
  return complaint?.message === TASK_MESSAGES.required;
}
