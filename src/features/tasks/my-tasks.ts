import type { Me, MyTask, MyTasks, ProjectChangeStep, ProjectName, Task } from "@server/contract/views";
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

/** As many as the server lists: there may be more. */
const FULL = 500;

interface Viewed {
  /** Where the tasks are; undefined when it is not known. */
  project: ProjectName | undefined;
  viewer: Pick<Me, "id" | "accountType">;
}

/** The list after changes made elsewhere; null when only the server can say what it holds. */
export function takeSteps(
  mine: MyTasks,
  { steps, ...viewed }: Viewed & { steps: readonly Omit<ProjectChangeStep, "kind">[] },
): MyTasks | null {
  return steps.reduce<MyTasks | null>((known, { taskId, task }) => {
    if (!known) return null;
    if (task) return putMine(known, { task, ...viewed });
    return taskId === null ? renameProject(known, viewed) : dropMine(known, (item) => item.id === taskId);
  }, mine);
}

/** The list with a task as it is now. Null like `takeSteps`. */
export function putMine(mine: MyTasks, { task, project, viewer }: Viewed & { task: Task }): MyTasks | null {
  const known = mine.items.find(({ id }) => id === task.id);
  const isOwn = viewer.accountType === "client" || task.assignedTo.includes(viewer.id);
  if (known ? known.version > task.version : !isOwn) return mine;
  if (!isOwn) return dropMine(mine, (item) => item === known);
  const name = known?.project ?? project;
  // Of one that was completed elsewhere nobody says when, and of a full list not what follows.
  if (!name || (!known && (task.completed || mine.items.length >= FULL))) return null;
  const placed = { ...known, ...task, project: { id: name.id, key: name.key, title: name.title } };
  const open = Math.max(0, mine.open + Number(known ? known.completed : true) - Number(task.completed));
  if (known?.dueDate === task.dueDate && known.completed === task.completed)
    return { items: mine.items.map((item) => (item === known ? placed : item)), open };
  const others = mine.items.filter((item) => item !== known);
  const at = others.findIndex((item) => isBefore(placed, item));
  return { items: others.toSpliced(at === -1 ? others.length : at, 0, placed), open };
}

/** The list without some tasks. */
export function dropMine(mine: MyTasks, isGone: (task: MyTask) => boolean): MyTasks | null {
  if (mine.items.length >= FULL) return null;
  const gone = mine.items.filter(isGone);
  if (gone.length === 0) return mine;
  return {
    items: mine.items.filter((task) => !gone.includes(task)),
    open: Math.max(0, mine.open - gone.filter(({ completed }) => !completed).length),
  };
}

function renameProject(mine: MyTasks, { project }: Viewed): MyTasks {
  if (!project) return mine;
  const { id, key, title } = project;
  const items = mine.items.map((task) => (task.project.id === id ? { ...task, project: { id, key, title } } : task));
  return { ...mine, items };
}

/** The server's order: open ones first, by due day, those without one last, then by age. */
function isBefore(one: MyTask, other: MyTask): boolean {
  const keys = ({ completed, dueDate, createdAt, id }: MyTask) => [Number(completed), dueDate ?? "~", createdAt, id];
  const [mine, others] = [keys(one), keys(other)];
  const at = mine.findIndex((key, index) => key !== others[index]);
  return at !== -1 && (mine[at] ?? "") < (others[at] ?? "");
}
