import { TASK_STATUSES } from "@db/enums";
import { TASK_MESSAGES } from "@server/contract/messages/tasks";
import type { KeyboardEvent } from "react";
import { statusMeta } from "@/features/projects/project-status";
import { InlineAlert } from "@/ui/inline-alert";
import { useSteady } from "@/ui/steady";

/* What the add form and the edit form of a task have in common. */

type Complaint = { message?: string | undefined } | undefined;

/** Missing fields are reported once, above the form; other errors stand under their field. */
export function RequiredNotice({ complaints }: { complaints: readonly Complaint[] }) {
  const isShown = useSteady(complaints.some(isMissing));
  return isShown && <InlineAlert tone="red">{TASK_MESSAGES.required}</InlineAlert>;
}

/** What stands under the field itself. */
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

/** Escape that an open list of a combobox takes for itself. */
export function isForOpenList({ target }: KeyboardEvent): boolean {
  return target instanceof Element && target.closest('[role="combobox"][aria-expanded="true"]') !== null;
}

function isMissing(complaint: Complaint): boolean {
  return complaint?.message === TASK_MESSAGES.required;
}
