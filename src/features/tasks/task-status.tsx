import { TASK_STATUSES } from "@db/enums";
import { Check, ChevronDown } from "lucide-react";
import { statusMeta } from "@/features/projects/project-status";
import { StatusChip } from "@/features/projects/status-chip";
import { cn } from "@/lib/cn";
import { TONE_FILL } from "@/ui/tone";
import { FieldTrouble, SavedMark } from "./save-state";
import type { TaskPart } from "./task-edits";
import { STATUS } from "./task-edits";
import { StatusOptions } from "./task-fields";
import { useFieldSave } from "./use-field-save";
import { useSelectEdit } from "./use-select-edit";

/** The status of a task: a chip, which for those who may edit it is a native select. */
export function TaskStatus(part: TaskPart) {
  if (!part.project.canEdit) return <StatusChip status={part.task.status} />;
  return <StatusSelect {...part} />;
}

/** The id of the control, which is focused when what completes the task disappears. */
const TASK_STATUS_ID = "task-page-status";

function StatusSelect({ task, taskKey }: TaskPart) {
  const saving = useFieldSave({ task, taskKey, field: STATUS });
  const edit = useSelectEdit({
    choices: TASK_STATUSES,
    chosen: saving.shown,
    save: (status, base) => void saving.save(status, base),
  });
  const { tone, icon: Icon, label } = statusMeta(edit.shown);
  return (
    <>
      <span
        className={cn(
          "relative inline-flex h-7 items-center gap-1.5 rounded-pill ps-2 pe-1.5 font-medium text-meta",
          // Narrows instead of taking a row of its own beside a long key.
          "max-sm:min-w-0 max-sm:max-w-max max-sm:grow max-sm:basis-0",
          "focus-within:outline-2 focus-within:outline-ring focus-within:outline-offset-2",
          TONE_FILL[tone],
        )}
      >
        <Icon size={14} className="shrink-0" />
        {/* As wide as what is chosen; the select itself would be as wide as its longest option. */}
        <span aria-hidden="true" className="truncate">
          {label}
        </span>
        {saving.state === "saved" ? (
          <Check size={14} className="shrink-0" />
        ) : (
          <ChevronDown size={14} className="shrink-0" />
        )}
        <select
          id={TASK_STATUS_ID}
          aria-label={STATUS.label}
          value={edit.shown}
          {...edit.control}
          className="absolute inset-x-0 -inset-y-2 w-full text-reading cursor-pointer appearance-none opacity-0 [&>option]:bg-raised [&>option]:text-ink"
        >
          <StatusOptions />
        </select>
      </span>
      <SavedMark saving={saving} className="max-sm:hidden" />
      <div className="order-last w-full empty:hidden">
        <FieldTrouble
          label={STATUS.label}
          saving={saving}
          live={task.status}
          describe={(status) => statusMeta(status).label}
        />
      </div>
    </>
  );
}
