import type { ChecklistItem, FieldChange, Label, Task } from "../contract/views";
import { fieldChanges, memberChanges, NEW_DESCRIPTION } from "../projects/history";

/** How a task differs. Labels by their names of that moment: they may be renamed or deleted later. */
export function taskChanges(before: Task, after: Task, labels: readonly Label[]): FieldChange[] {
  const namesOf = (ids: readonly string[]) => labels.filter(({ id }) => ids.includes(id)).map(({ name }) => name);
  return [
    ...fieldChanges(before, after, ["title", "status", "dueDate", "priority"]),
    ...(before.description === after.description ? [] : [NEW_DESCRIPTION]),
    ...memberChanges("assignedTo", before.assignedTo, after.assignedTo),
    ...memberChanges("labels", namesOf(before.labelIds), namesOf(after.labelIds)),
    ...checklistChanges(before.checklist, after.checklist),
  ];
}

/** By text; an item that says something else now is one removed and one added. Nothing when only the order differs. */
function checklistChanges(before: readonly ChecklistItem[], after: readonly ChecklistItem[]): FieldChange[] {
  const kept = after.flatMap((item) => {
    const was = before.find(({ id, text }) => id === item.id && text === item.text);
    return was ? [{ ...item, was: was.done }] : [];
  });
  const isKept = ({ id }: ChecklistItem) => kept.some((item) => item.id === id);
  const textsOf = (items: readonly ChecklistItem[]) => items.map(({ text }) => text);
  const change = {
    added: textsOf(after.filter((item) => !isKept(item))),
    removed: textsOf(before.filter((item) => !isKept(item))),
    checked: textsOf(kept.filter(({ done, was }) => done && !was)),
    unchecked: textsOf(kept.filter(({ done, was }) => !done && was)),
  };
  return Object.values(change).some((texts) => texts.length > 0) ? [{ field: "checklist", ...change }] : [];
}
