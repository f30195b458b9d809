import { LABEL_MESSAGES } from "@server/contract/messages/labels";
import { type ReactNode, useState } from "react";
import { absentLabel, Unread } from "@/features/users/people-picker";
import { messageOf } from "@/lib/user-message";
import { Button } from "@/ui/button";
import { ChipsCombobox } from "@/ui/chips-combobox";
import { Field } from "@/ui/field";
import { LabelsDialog } from "./labels-dialog";
import { nextColour, useCreateLabel, useLabels } from "./use-labels";

type LabelsFieldProps = {
  value: readonly string[];
  onChange: (value: string[]) => void;
  /** At the right end of the label's line. */
  aside?: ReactNode;
};

/** The labels of a task: chosen from the organisation's, or made by typing a new name. */
export function LabelsField({ value, onChange, aside }: LabelsFieldProps) {
  const labels = useLabels();
  const create = useCreateLabel();
  const [isManaging, setManaging] = useState(false);
  const known = labels.data ?? [];
  function add(name: string): void {
    create.mutate({ name, colour: nextColour(known) }, { onSuccess: ({ id }) => onChange([...value, id]) });
  }
  return (
    <>
      <Field
        label="Labels"
        aside={aside}
        error={create.error ? `${LABEL_MESSAGES.createFailed} ${messageOf(create.error)}` : undefined}
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
      {known.length > 0 && (
        <Button size="sm" variant="quiet" className="mt-0.5 -ms-3" onClick={() => setManaging(true)}>
          Edit labels
        </Button>
      )}
      <LabelsDialog open={isManaging} onOpenChange={setManaging} />
    </>
  );
}
