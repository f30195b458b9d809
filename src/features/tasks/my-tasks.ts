import { endOfWeek, parseDate } from "@internationalized/date";
import type { MyTask, MyTasks, Task } from "@server/contract/views";
import type { CalendarDay } from "@/lib/format";

/* The signed-in person's tasks across projects. Pure functions. */

/** In order. */
export const MY_TASK_GROUPS = ["Overdue", "Today", "This week", "Later", "No date", "Done lately"] as const;
export type MyTaskGroup = (typeof MY_TASK_GROUPS)[number];

/** Where a task stands on that day. A week ends with its Sunday. */
export function groupOf(
  { completed, dueDate }: Pick<MyTask, "completed" | "dueDate">,
  today: CalendarDay,
): MyTaskGroup {
  if (completed) return "Done lately";
  if (dueDate === null) return "No date";
  if (dueDate < today) return "Overdue";
  if (dueDate === today) return "Today";
  return dueDate <= endOfWeek(parseDate(today), "en-GB", "mon").toString() ? "This week" : "Later";
}

/** The groups that hold something, in order; within each the tasks keep theirs. */
export function groupMyTasks(
  tasks: readonly MyTask[],
  today: CalendarDay,
): { name: MyTaskGroup; tasks: readonly MyTask[] }[] {
  const groups = new Map<MyTaskGroup, MyTask[]>(MY_TASK_GROUPS.map((name) => [name, []]));
  for (const task of tasks) groups.get(groupOf(task, today))?.push(task);
  return [...groups].map(([name, held]) => ({ name, tasks: held })).filter((group) => group.tasks.length > 0);
}

/** A tick ahead of the server's answer; the number of open tasks follows. */
export function tickMine(mine: MyTasks, { taskId, completed }: { taskId: string; completed: boolean }): MyTasks {
  const known = mine.items.find(({ id }) => id === taskId);
  if (!known || known.completed === completed) return mine;
  const ticked: MyTask = { ...known, completed, status: completed ? "completed" : "todo" };
  return {
    items: mine.items.map((task) => (task === known ? ticked : task)),
    open: Math.max(0, mine.open + (completed ? -1 : 1)),
  };
}

/** One's own tasks after a change made elsewhere; null when only the server can say what the list holds, or in which order. */
export function putMine(mine: MyTasks, { task, userId }: { task: Task; userId: string }): MyTasks | null {
  const known = mine.items.find(({ id }) => id === task.id);
  const isOwn = task.assignedTo.includes(userId);
  if (known ? known.version > task.version : !isOwn) return mine;
  if (!known || !isOwn || known.dueDate !== task.dueDate) return null;
  return {
    items: mine.items.map((item) => (item === known ? { ...item, ...task } : item)),
    open: Math.max(0, mine.open + Number(known.completed) - Number(task.completed)),
  };
}
