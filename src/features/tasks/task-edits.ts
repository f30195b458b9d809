import type { UpdateTask } from "@server/contract/tasks";
import type { ChecklistItem, Project, Task } from "@server/contract/views";
import * as z from "zod/mini";

/* The fields of a task that its page edits one by one, and how two edits of one field meet. Pure. */

/** What every part of a task's page shows. */
export interface TaskPart {
  task: Task;
  project: Project;
  /** `HBP-3` */
  taskKey: string;
}

/** Three versions of a field: when the edit began, as edited here, and as the server has it now. */
interface ThreeWay<Value> {
  base: Value;
  mine: Value;
  theirs: Value;
}

/** A field of a task, by itself. */
export interface TaskField<Value> {
  /** As it stands beside the control. */
  label: string;
  of: (task: Task) => Value;
  patch: (value: Value) => UpdateTask["patch"];
  /** Both edits in one; undefined where somebody has to choose. */
  merge: (versions: ThreeWay<Value>) => Value | undefined;
  /** Reads a stored value, null for what is none. Of fields that hold text: it stays on screen and in the tab until it is saved. */
  parse?: (stored: unknown) => Value | null;
}

const choose = <Value>(versions: ThreeWay<Value>) => onlyChange(versions);

export const TITLE: TaskField<string> = {
  label: "Title",
  of: ({ title }) => title,
  patch: (title) => ({ title }),
  merge: choose,
};
export const DESCRIPTION: TaskField<string> = {
  label: "Description",
  of: ({ description }) => description,
  patch: (description) => ({ description }),
  merge: choose,
};
export const STATUS: TaskField<Task["status"]> = {
  label: "Status",
  of: ({ status }) => status,
  patch: (status) => ({ status }),
  merge: choose,
};
export const DUE_DATE: TaskField<Task["dueDate"]> = {
  label: "Due date",
  of: ({ dueDate }) => dueDate,
  patch: (dueDate) => ({ dueDate }),
  merge: choose,
};
export const PRIORITY: TaskField<Task["priority"]> = {
  label: "Priority",
  of: ({ priority }) => priority,
  patch: (priority) => ({ priority }),
  merge: choose,
};
export const ASSIGNEES: TaskField<string[]> = {
  label: "Assignees",
  of: ({ assignedTo }) => assignedTo,
  patch: (assignedTo) => ({ assignedTo }),
  merge: mergeMembers,
};
export const LABELS: TaskField<string[]> = {
  label: "Labels",
  of: ({ labelIds }) => labelIds,
  patch: (labelIds) => ({ labelIds }),
  merge: mergeMembers,
};
const itemsSchema = z.array(z.object({ id: z.string(), text: z.string(), done: z.boolean() }));
export const CHECKLIST: TaskField<ChecklistItem[]> = {
  label: "Checklist",
  of: ({ checklist }) => checklist,
  patch: (checklist) => ({ checklist }),
  merge: mergeChecklists,
  parse: (stored) => z.safeParse(itemsSchema, stored).data ?? null,
};

/** Whether two values of a field are the same. */
export function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

/** The value when only one side has changed it, or both alike. */
function onlyChange<Value>({ base, mine, theirs }: ThreeWay<Value>): Value | undefined {
  if (isSame(theirs, base)) return mine;
  return isSame(mine, base) || isSame(mine, theirs) ? theirs : undefined;
}

/** What either side added or removed. */
function mergeMembers(versions: ThreeWay<string[]>): string[] {
  const { base, mine, theirs } = versions;
  const kept = theirs.filter((id) => mine.includes(id) || !base.includes(id));
  const added = mine.filter((id) => !base.includes(id) && !kept.includes(id));
  return onlyChange(versions) ?? [...kept, ...added];
}

/**
 * Line by line: what either side added, removed, ticked or wrote. A line that both wrote differently reads as here; one that was
 * removed on either side is gone. The order is that of whoever changed it, else theirs.
 */
function mergeChecklists(versions: ThreeWay<ChecklistItem[]>): ChecklistItem[] {
  const { base, mine, theirs } = versions;
  const merged = theirs.flatMap((item) => {
    const before = find(base, item.id);
    const here = find(mine, item.id);
    if (!before) return [item];
    if (!here) return [];
    return [
      {
        id: item.id,
        text: here.text === before.text ? item.text : here.text,
        done: here.done === before.done ? item.done : here.done,
      },
    ];
  });
  const added = mine.filter(({ id }) => !find(base, id) && !find(merged, id));
  const order = orderOf(mine, base) === orderOf(base, mine) ? theirs : mine;
  const placeOf = ({ id }: ChecklistItem) => {
    const at = order.findIndex((item) => item.id === id);
    return at === -1 ? order.length : at;
  };
  return onlyChange(versions) ?? [...merged, ...added].toSorted((one, other) => placeOf(one) - placeOf(other));
}

function find(items: readonly ChecklistItem[], id: string): ChecklistItem | undefined {
  return items.find((item) => item.id === id);
}

/** The order of those that are in both. */
function orderOf(items: readonly ChecklistItem[], others: readonly ChecklistItem[]): string {
  return items.flatMap(({ id }) => (find(others, id) ? [id] : [])).join();
}
