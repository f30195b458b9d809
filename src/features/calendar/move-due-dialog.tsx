import { PROJECT_MESSAGES } from "@server/contract/messages/projects";
import { daySchema } from "@server/contract/text";
import { type FormEvent, useId, useState } from "react";
import * as z from "zod/mini";
import { type CalendarDay, formatDay } from "@/lib/format";
import { useUnsavedForm } from "@/lib/unsaved-forms";
import { Button } from "@/ui/button";
import { Dialog, type FocusTarget } from "@/ui/dialog";
import { Field } from "@/ui/field";
import { TextInput } from "@/ui/text-input";
import { useLast } from "@/ui/use-last";
import type { CalendarEntry } from "./calendar-entries";

type MoveDueDialogProps = {
  /** Null closes the dialog. */
  entry: CalendarEntry | null;
  onClose: () => void;
  onMove: (entry: CalendarEntry, day: CalendarDay) => void;
  finalFocus?: FocusTarget | undefined;
};

/** Asks for another due date: the alternative to dragging for keyboard and touch. */
export function MoveDueDialog({ entry, onClose, onMove, finalFocus }: MoveDueDialogProps) {
  const formId = useId();
  const shown = useLast(entry, entry !== null);
  return (
    <Dialog
      open={entry !== null}
      onOpenChange={(open) => !open && onClose()}
      size="sm"
      title="Move due date"
      description={shown?.title}
      finalFocus={finalFocus}
      footer={
        <>
          <Button variant="quiet" onClick={onClose}>
            Cancel
          </Button>
          <Button variant="primary" type="submit" form={formId}>
            Move
          </Button>
        </>
      }
    >
      {shown && (
        <DueForm
          key={shown.key}
          formId={formId}
          entry={shown}
          onDay={(day) => {
            onMove(shown, day);
            onClose();
          }}
        />
      )}
    </Dialog>
  );
}

type DueFormProps = { formId: string; entry: CalendarEntry; onDay: (day: CalendarDay) => void };

function DueForm({ formId, entry, onDay }: DueFormProps) {
  const [before] = useState(entry.due);
  const [typed, setDay] = useState<CalendarDay | null>(null);
  const [error, setError] = useState<string>();
  const day = typed ?? entry.due;
  useUnsavedForm(() => day !== entry.due);

  function submit(event: FormEvent): void {
    event.preventDefault();
    const complaint = complaintAbout(day, entry);
    setError(complaint);
    if (!complaint) onDay(day);
  }
  return (
    <form id={formId} noValidate onSubmit={submit}>
      <Field
        label="Due date"
        error={error}
        hint={entry.due === before ? undefined : `Someone has moved it to ${formatDay(entry.due)}.`}
        required
      >
        <TextInput
          type="date"
          value={day}
          min={entry.start ?? undefined}
          onChange={({ target }) => {
            setDay(target.value);
            setError(undefined);
          }}
        />
      </Field>
    </form>
  );
}

function complaintAbout(day: CalendarDay, { start }: CalendarEntry): string | undefined {
  const { success, error } = z.safeParse(daySchema, day);
  if (!success) return day === "" ? "Enter a date." : error.issues[0]?.message;
  return start !== null && day < start ? PROJECT_MESSAGES.dueBeforeStart : undefined;
}
