import { LABEL_COLOURS, type LabelColour } from "@db/enums";
import { LABEL_MESSAGES } from "@server/contract/messages/labels";
import { type CreateLabel, createLabelSchema } from "@server/contract/task-labels";
import type { Label } from "@server/contract/views";
import { Trash2 } from "lucide-react";
import { type FormEvent, type KeyboardEvent, useRef, useState } from "react";
import * as z from "zod/mini";
import { cn } from "@/lib/cn";
import { isComposing } from "@/lib/is-composing";
import { useUnsavedForm } from "@/lib/unsaved-forms";
import { rowAction, rowMark, useRowFocus } from "@/lib/use-row-focus";
import { messageOf } from "@/lib/user-message";
import { announce } from "@/ui/announce";
import { Button } from "@/ui/button";
import { Complaint } from "@/ui/complaint";
import { ConfirmDialog } from "@/ui/confirm-dialog";
import { Dialog } from "@/ui/dialog";
import { Field } from "@/ui/field";
import { IconButton } from "@/ui/icon-button";
import { Select } from "@/ui/select";
import { useSteady } from "@/ui/steady";
import { TextInput } from "@/ui/text-input";
import { TONE_DOT } from "@/ui/tone";
import { nextColour, useCreateLabel, useDeleteLabel, useLabels, useLabelUsage, useUpdateLabel } from "./use-labels";

const COLOUR_LABELS: Record<LabelColour, string> = {
  grey: "Grey",
  green: "Green",
  blue: "Blue",
  orange: "Orange",
  red: "Red",
};

const NONE: readonly Label[] = [];

/** All labels of the organisation: made, renamed, given another colour, or deleted. Each change is saved by itself. */
export function LabelsDialog({ open, onOpenChange }: { open: boolean; onOpenChange: (open: boolean) => void }) {
  const latest = useLabels().data ?? NONE;
  // A new name takes another place: not while something is pressed.
  const places = useSteady(latest);
  const labels = places === latest ? latest : places.map((label) => latest.find(({ id }) => id === label.id) ?? label);
  const remove = useDeleteLabel();
  const [labelToDelete, setLabelToDelete] = useState<Label | null>(null);
  const usage = useLabelUsage(labelToDelete?.id);
  const list = useRef<HTMLUListElement>(null);
  const focusTarget = useRowFocus(list, { rows: labels.map(({ id }) => id).join() });
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title="Labels"
      description="For the tasks of all projects. A change appears on every task that has the label."
      size="sm"
    >
      <NewLabel labels={labels} />
      <ul ref={list} aria-label="Labels" className="mt-4 grid gap-2 border-line border-t pt-4 empty:hidden">
        {labels.map((label) => (
          <LabelRow key={label.id} label={label} onDelete={() => setLabelToDelete(label)} />
        ))}
      </ul>
      <ConfirmDialog
        open={labelToDelete !== null}
        onOpenChange={(isOpen) => void (isOpen || setLabelToDelete(null))}
        title="Delete label"
        question={`${LABEL_MESSAGES.confirmDelete} ${LABEL_MESSAGES.onTasks(usage)}`}
        confirmLabel="Delete"
        busyLabel="Deleting..."
        busy={remove.isPending}
        finalFocus={focusTarget}
        onConfirm={() => {
          if (!labelToDelete) return;
          remove.mutate(
            { labelId: labelToDelete.id },
            {
              onSuccess: () => {
                setLabelToDelete(null);
                announce(`Label deleted: ${labelToDelete.name}`);
              },
            },
          );
        }}
      >
        <p className="font-semibold">{labelToDelete?.name}</p>
        <Complaint className="mt-2">{remove.error && messageOf(remove.error)}</Complaint>
      </ConfirmDialog>
    </Dialog>
  );
}

/** Enter or the button makes one; its colour is changed in the list. */
function NewLabel({ labels }: { labels: readonly Label[] }) {
  const create = useCreateLabel();
  const [name, setName] = useState("");
  const [complaint, setComplaint] = useState<string | null>(null);
  useUnsavedForm(() => name.trim() !== "");
  function add(event: FormEvent): void {
    event.preventDefault();
    const { success, data, error } = z.safeParse(createLabelSchema, {
      name,
      colour: nextColour(labels),
    } satisfies CreateLabel);
    setComplaint(error?.issues[0]?.message ?? null);
    if (!success || create.isPending) return;
    create.mutate(data, {
      onSuccess(label) {
        // Unless the next one is being typed already.
        setName((now) => (now === name ? "" : now));
        announce(`Label created: ${label.name}`);
      },
      onError: (failure) => setComplaint(messageOf(failure)),
    });
  }
  return (
    <form onSubmit={add} className="flex items-start gap-2">
      <Field label="New label" hideLabel error={complaint ?? undefined} className="flex-1">
        <TextInput
          value={name}
          placeholder="New label"
          autoComplete="off"
          onChange={({ target }) => {
            setName(target.value);
            setComplaint(null);
          }}
        />
      </Field>
      <Button type="submit" busy={create.isPending} busyLabel="Adding...">
        Add
      </Button>
    </form>
  );
}

function LabelRow({ label: { id, name, colour }, onDelete }: { label: Label; onDelete: () => void }) {
  const update = useUpdateLabel();
  const [typed, setTyped] = useState<string | null>(null);
  const [complaint, setComplaint] = useState<string | null>(null);
  useUnsavedForm(() => typed !== null);
  function rename(): void {
    if (typed === null) return;
    const { success, data, error } = z.safeParse(createLabelSchema, { name: typed, colour } satisfies CreateLabel);
    setComplaint(error?.issues[0]?.message ?? null);
    if (!success) return;
    if (data.name === name) {
      restore();
      return;
    }
    // Enter has sent it, and the field is left before the answer.
    if (update.isPending && update.variables.name === data.name) return;
    update.mutate(
      { labelId: id, name: data.name },
      {
        onSuccess: () => {
          setTyped((now) => (now === typed ? null : now));
          update.reset();
          announce(`Label saved: ${data.name}`);
        },
      },
    );
  }
  function restore(): void {
    setTyped(null);
    setComplaint(null);
    update.reset();
  }
  function onKeyDown(event: KeyboardEvent): void {
    if (isComposing(event)) return;
    if (event.key === "Enter") rename();
    if (event.key !== "Escape" || typed === null) return;
    event.preventDefault();
    event.stopPropagation();
    restore();
  }
  return (
    <li {...rowMark(id)} className="flex items-start gap-2">
      <span aria-hidden="true" className={cn("mt-4 size-2.5 shrink-0 rounded-pill", TONE_DOT[colour])} />
      <Field
        label={`Name of ${name}`}
        hideLabel
        error={complaint ?? (update.error ? messageOf(update.error) : undefined)}
        className="flex-1"
      >
        <TextInput
          value={typed ?? name}
          onChange={({ target }) => setTyped(target.value)}
          onBlur={rename}
          onKeyDown={onKeyDown}
          autoComplete="off"
        />
      </Field>
      <Select
        aria-label={`Colour of ${name}`}
        value={colour}
        onChange={({ target }) => {
          const chosen = LABEL_COLOURS.find((one) => one === target.value);
          if (chosen) update.mutate({ labelId: id, colour: chosen });
        }}
        className="w-28 shrink-0"
      >
        {LABEL_COLOURS.map((one) => (
          <option key={one} value={one}>
            {COLOUR_LABELS[one]}
          </option>
        ))}
      </Select>
      <IconButton {...rowAction} icon={Trash2} label={`Delete label: ${name}`} onClick={onDelete} />
    </li>
  );
}
