import { LABEL_MESSAGES } from "@server/contract/messages/labels";
import type { Label } from "@server/contract/views";
import { type ReactNode, useLayoutEffect, useRef, useState } from "react";
import { absentLabel, Unread } from "@/features/users/people-picker";
import { messageOf, reasonOf } from "@/lib/user-message";
import { Button } from "@/ui/button";
import { ChipsCombobox } from "@/ui/chips-combobox";
import { Field } from "@/ui/field";
import { useSteady } from "@/ui/steady";
import { LabelsDialog } from "./labels-dialog";
import { nextColour, useCreateLabel, useLabels } from "./use-labels";

type LabelsFieldProps = {
  value: readonly string[];
  onChange: (value: string[]) => void;
  /** What is wrong with the choice. */
  error?: string | undefined;
  /** At the right end of the label's line. */
  aside?: ReactNode;
};

/** The labels of a task: chosen from the organisation's, or made by typing a new name. */
export function LabelsField({ value, onChange, error, aside }: LabelsFieldProps) {
  const labels = useLabels();
  const create = useCreateLabel();
  const [isManaging, setManaging] = useState(false);
  const known = labels.data ?? [];
  const canManage = useSteady(known.length > 0);
  /** As of now: the field may have changed by the time a label is there. Null once the field is gone. */
  const latest = useRef<Pick<LabelsFieldProps, "value" | "onChange"> | null>(null);
  useLayoutEffect(() => {
    latest.current = { value, onChange };
    return () => {
      latest.current = null;
    };
  });
  function add(name: string): void {
    // A promise of each: callbacks of `mutate` run for the last call alone.
    create.mutateAsync({ name, colour: nextColour(known) }).then(take, (error: unknown) => takeOther(error, name));
  }
  function take({ id }: Pick<Label, "id">): void {
    const now = latest.current;
    if (!now || now.value.includes(id)) return;
    const chosen = [...now.value, id];
    // The next one may be there before this one is drawn.
    latest.current = { ...now, value: chosen };
    now.onChange(chosen);
  }
  /** Somebody else has just made one of that name: it is the one that was meant. */
  async function takeOther(error: unknown, name: string): Promise<void> {
    if (reasonOf(error) !== "label-exists") return;
    const { data = [] } = await labels.refetch();
    const other = data.find((label) => label.name.toLowerCase() === name.toLowerCase());
    if (!other) return;
    create.reset();
    take(other);
  }
  return (
    <>
      <Field
        label="Labels"
        aside={aside}
        error={create.error ? `${LABEL_MESSAGES.createFailed} ${messageOf(create.error)}` : error}
        hint={labels.isLoadingError && <Unread query={labels} />}
      >
        <ChipsCombobox
          options={known.map(({ id, name, colour }) => ({ value: id, label: name, tone: colour }))}
          value={value}
          onValueChange={onChange}
          onCreate={add}
          unknownLabel={absentLabel(labels)}
          emptyLabel={labels.isPending ? "Loading labels" : "Type a name to create a label"}
        />
      </Field>
      {canManage && (
        <Button size="sm" variant="quiet" className="mt-0.5 -ms-3" onClick={() => setManaging(true)}>
          Edit labels
        </Button>
      )}
      <LabelsDialog open={isManaging} onOpenChange={setManaging} />
    </>
  );
}
