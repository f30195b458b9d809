import { daySchema } from "@server/contract/text";
import type { Task } from "@server/contract/views";
import { X } from "lucide-react";
import { type KeyboardEvent, useRef, useState } from "react";
import * as z from "zod/mini";
import { DueLabel } from "@/features/projects/due-label";
import { cn } from "@/lib/cn";
import { formatDay } from "@/lib/format";
import { useUnsavedForm } from "@/lib/unsaved-forms";
import { Field } from "@/ui/field";
import { IconButton } from "@/ui/icon-button";
import { TextInput } from "@/ui/text-input";
import { FieldTrouble, SavedMark } from "./save-state";
import { DUE_DATE, type TaskPart } from "./task-edits";
import { useFieldSave } from "./use-field-save";

const [EARLIEST, LATEST] = ["2000-01-01", "2100-12-31"];

/** What stands in the field and is not saved. */
interface TypedDay {
  /** "" while it is no date. */
  day: string;
  /** The day that it changes. */
  base: Task["dueDate"];
}

/** When a task is due. Only an emptied field removes the date; what is no date stays in the field, with a message. */
export function DueDateField({ task, taskKey }: TaskPart) {
  const saving = useFieldSave({ task, taskKey, field: DUE_DATE });
  const { shown: due } = saving;
  const input = useRef<HTMLInputElement>(null);
  const edit = useDueEdit(due, (day, base) => void saving.save(day, base));
  return (
    <div data-field="" className="min-w-0">
      <Field label={DUE_DATE.label} error={edit.error} aside={<SavedMark saving={saving} />}>
        <div className="group/due relative">
          <TextInput
            ref={input}
            data-control=""
            type="date"
            min={EARLIEST}
            max={LATEST}
            value={edit.shown}
            onChange={({ target }) => edit.change(target)}
            onBlur={({ target }) => edit.leave(target)}
            onKeyDown={edit.onKeyDown}
            className={cn(!edit.error && "not-focus:text-transparent")}
          />
          {/* The date as it reads everywhere, while nobody edits it. */}
          {!edit.error && (
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
          )}
          {due && (
            <IconButton
              icon={X}
              label="Remove due date"
              size="sm"
              onClick={({ detail }) => {
                // The button goes. After a tap the focus would open a phone's calendar.
                if (detail === 0) input.current?.focus();
                edit.remove();
              }}
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

/**
 * A date that is typed is whole several times on the way (12 February, then 12 December, the years 2, 20, 208), so it counts once
 * the field is left or Enter is pressed. A day that is picked counts at once: no key was pressed for it.
 */
function useDueEdit(due: Task["dueDate"], save: (day: Task["dueDate"], base: Task["dueDate"]) => void) {
  const [typed, setTyped] = useState<TypedDay | null>(null);
  const [error, setError] = useState<string>();
  const isTyping = useRef(false);
  useUnsavedForm(() => typed !== null);

  function put(day: string, base = due): void {
    setTyped(null);
    setError(undefined);
    if (day !== (due ?? "")) save(day || null, base);
  }
  function change({ value }: HTMLInputElement): void {
    setError(undefined);
    if (!isTyping.current && !complaintAbout(value)) put(value);
    else setTyped({ day: value, base: typed ? typed.base : due });
  }
  /** A field without a whole date reads as "" just as an empty one does. */
  function finish({ value, validity }: HTMLInputElement): void {
    const complaint = value !== "" || validity.badInput ? complaintAbout(value) : undefined;
    setError(complaint);
    if (typed && !complaint) put(value, typed.base);
  }
  function onKeyDown(event: KeyboardEvent<HTMLInputElement>): void {
    const { currentTarget: input, key } = event;
    isTyping.current = true;
    if (key === "Enter") finish(input);
    if (key !== "Escape" || (typed === null && !error)) return;
    event.preventDefault();
    event.stopPropagation();
    setTyped(null);
    setError(undefined);
    // A half-typed date is "" to React, which then sees nothing to put back.
    input.value = due ?? "";
  }
  return {
    shown: typed ? typed.day : (due ?? ""),
    error,
    change,
    leave(input: HTMLInputElement): void {
      isTyping.current = false;
      finish(input);
    },
    remove: () => put(""),
    onKeyDown,
  };
}

function complaintAbout(day: string): string | undefined {
  return z.safeParse(daySchema, day).error?.issues[0]?.message;
}
