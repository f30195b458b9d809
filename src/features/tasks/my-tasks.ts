import type { Me, MyTask, MyTasks, Task } from "@server/contract/views";
import { type CalendarDay, type DueState, dueState } from "@/lib/format";

/* The signed-in person's tasks across projects; a client's are all tasks of their projects. Pure functions. */

/** In order. */
const MY_TASK_GROUPS = [
  "Overdue",
  "Today",
  "Tomorrow",
  "Next 7 days",
  "Later",
  "No date",
  "Recently completed",
] as const;
export type MyTaskGroup = (typeof MY_TASK_GROUPS)[number];

const OPEN_GROUPS: Record<DueState["kind"], MyTaskGroup> = {
  overdue: "Overdue",
  today: "Today",
  tomorrow: "Tomorrow",
  soon: "Next 7 days",
  later: "Later",
  none: "No date",
};

/** The group of a task on that day. */
export function groupOf(
  { completed, dueDate }: Pick<MyTask, "completed" | "dueDate">,
  today: CalendarDay,
): MyTaskGroup {
  return completed ? "Recently completed" : OPEN_GROUPS[dueState(dueDate, today).kind];
}

/** The groups that are not empty, in order. Within a group the tasks keep their order. */
export function groupMyTasks(
  tasks: readonly MyTask[],
  today: CalendarDay,
): { name: MyTaskGroup; tasks: readonly MyTask[] }[] {
  const groups = new Map<MyTaskGroup, MyTask[]>(MY_TASK_GROUPS.map((name) => [name, []]));
  for (const task of tasks) groups.get(groupOf(task, today))?.push(task);
  return [...groups].map(([name, held]) => ({ name, tasks: held })).filter((group) => group.tasks.length > 0);
}

/** An optimistic tick; the number of open tasks changes with it. */
export function tickMine(mine: MyTasks, { taskId, completed }: { taskId: string; completed: boolean }): MyTasks {
  const known = mine.items.find(({ id }) => id === taskId);
  if (!known || known.completed === completed) return mine;
  const ticked: MyTask = { ...known, completed, status: completed ? "completed" : "todo" };
  return {
    items: mine.items.map((task) => (task === known ? ticked : task)),
    open: Math.max(0, mine.open + (completed ? -1 : 1)),
  };
}

/** The list after a change made elsewhere; null when only the server can say what it holds, or in which order. */
export function putMine(
  mine: MyTasks,
  { task, viewer }: { task: Task; viewer: Pick<Me, "id" | "accountType"> },
): MyTasks | null {
  const known = mine.items.find(({ id }) => id === task.id);
  const isOwn = viewer.accountType === "client" || task.assignedTo.includes(viewer.id);
  if (known ? known.version > task.version : !isOwn) return mine;
  if (!known || !isOwn || known.dueDate !== task.dueDate) return null;
  return {
    items: mine.items.map((item) => (item === known ? { ...item, ...task } : item)),
    open: Math.max(0, mine.open + Number(known.completed) - Number(task.completed)),
  };
}
