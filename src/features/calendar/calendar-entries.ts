import type { ProjectStatus } from "@db/enums";
import type { Calendar, Project, ProjectChangeStep, Task } from "@server/contract/views";
import { isFinished } from "@/features/projects/project-status";
import type { CalendarDay } from "@/lib/format";

/* The entries of the calendar. Pure functions. */

/** A project or a task with a due date. */
export interface CalendarEntry {
  /** Unique among projects and tasks. */
  key: string;
  kind: "project" | "task";
  id: string;
  projectId: string;
  /** `HBP-4` of a task. */
  taskKey: string | undefined;
  title: string;
  /** "HBP-4 Harbour booking portal" for a task, "Project HBP" for a project. */
  subtitle: string;
  status: ProjectStatus;
  finished: boolean;
  due: CalendarDay;
  /** The due date may not be before this day. */
  start: CalendarDay | null;
  canEdit: boolean;
}

/** A pending change of a due date. */
export interface DueMove {
  key: string;
  day: CalendarDay;
}

/** Projects and tasks as entries, with pending moves applied. */
export function entriesOf(calendar: Calendar, moves: readonly DueMove[] = []): CalendarEntry[] {
  const wishes = new Map(moves.map(({ key, day }) => [key, day]));
  return [...calendar.projects.map(projectEntry), ...calendar.tasks.map(taskEntry)].map((entry) => ({
    ...entry,
    due: wishes.get(entry.key) ?? entry.due,
  }));
}

/** By day; within a day unfinished entries first, projects before tasks. */
export function byDueDay(entries: readonly CalendarEntry[]): ReadonlyMap<CalendarDay, readonly CalendarEntry[]> {
  const days = new Map<CalendarDay, CalendarEntry[]>();
  for (const entry of entries) days.set(entry.due, [...(days.get(entry.due) ?? []), entry]);
  for (const [day, due] of days)
    days.set(
      day,
      due.toSorted((one, other) => sortKey(one) - sortKey(other)),
    );
  return days;
}

/** Stores the due date and version from the server's answer. */
export function putDue(
  calendar: Calendar,
  { kind, saved }: { kind: "project"; saved: Project } | { kind: "task"; saved: Task },
): Calendar {
  const { id, dueDate, version } = saved;
  if (dueDate === null) return calendar;
  const put = <Row extends { id: string }>(row: Row): Row => (row.id === id ? { ...row, dueDate, version } : row);
  return kind === "project"
    ? { ...calendar, projects: calendar.projects.map(put) }
    : { ...calendar, tasks: calendar.tasks.map(put) };
}

/** The calendar after changes of a project and its tasks; null when only the server knows where the project stands in it. */
export function takeSteps(
  calendar: Calendar,
  {
    steps,
    project,
    isInvolved,
    viewerId,
    range: { from, to },
  }: {
    steps: readonly Omit<ProjectChangeStep, "kind">[];
    project: Project;
    /** Whether the viewer takes part in the project, and not only in some tasks. */
    isInvolved: boolean;
    viewerId: string;
    range: { from: CalendarDay; to: CalendarDay };
  },
): Calendar | null {
  const isDue = (day: CalendarDay | null) => day !== null && from <= day && day <= to;
  const { id, key, title, status, startDate, dueDate, version, canEdit } = project;
  const name = { id, key, title };
  let { projects, tasks } = calendar;
  for (const { taskId, task } of steps) {
    const known = tasks.find((row) => row.id === taskId);
    if (taskId === null) {
      const shown = projects.find((row) => row.id === id);
      if (shown ? shown.dueDate !== dueDate || shown.title !== title || !isInvolved : isInvolved && isDue(dueDate))
        return null;
      projects = projects.map((row) => (row.id === id ? { ...row, status, startDate, version } : row));
      tasks = tasks.map((row) => (row.project.id === id ? { ...row, project: name } : row));
    } else if (!task || !known || known.version <= task.version) {
      tasks = tasks.filter((row) => row !== known);
      if (!task?.dueDate || !isDue(task.dueDate) || !(isInvolved || task.assignedTo.includes(viewerId))) continue;
      const placed = { ...task, dueDate: task.dueDate, project: name, canEdit };
      const at = tasks.findIndex((other) => orderOf(placed) < orderOf(other));
      tasks = tasks.toSpliced(at === -1 ? tasks.length : at, 0, placed);
    }
  }
  return { projects, tasks };
}

/** The server's order: by due day, then by key. */
function orderOf({ dueDate, project, number }: Calendar["tasks"][number]): string {
  return `${dueDate} ${project.key} ${String(number).padStart(9, "0")}`;
}

/** The version of a row, if the calendar holds it. */
export function versionIn(calendar: Calendar, { kind, id }: Pick<CalendarEntry, "kind" | "id">): number | undefined {
  const rows = kind === "project" ? calendar.projects : calendar.tasks;
  return rows.find((row) => row.id === id)?.version;
}

/** Unfinished and due before today. */
export function isOverdue({ finished, due }: CalendarEntry, today: CalendarDay): boolean {
  return !finished && due < today;
}

/** "nothing due", "1 due", "4 due, 2 overdue". */
export function describeDue(entries: readonly CalendarEntry[], today: CalendarDay): string {
  if (entries.length === 0) return "nothing due";
  const late = entries.filter((entry) => isOverdue(entry, today)).length;
  return late > 0 ? `${entries.length} due, ${late} overdue` : `${entries.length} due`;
}

function projectEntry(project: Calendar["projects"][number]): CalendarEntry {
  const { id, key, title, status, dueDate, startDate, canEdit } = project;
  return {
    key: `project-${id}`,
    kind: "project",
    id,
    projectId: id,
    taskKey: undefined,
    title,
    subtitle: `Project ${key}`,
    status,
    finished: isFinished(status),
    due: dueDate,
    start: startDate,
    canEdit,
  };
}

function taskEntry(task: Calendar["tasks"][number]): CalendarEntry {
  const { id, number, title, status, completed, dueDate, project, canEdit } = task;
  const taskKey = `${project.key}-${number}`;
  return {
    key: `task-${id}`,
    kind: "task",
    id,
    projectId: project.id,
    taskKey,
    title,
    subtitle: `${taskKey} ${project.title}`,
    status,
    finished: completed,
    due: dueDate,
    start: null,
    canEdit,
  };
}

function sortKey({ finished, kind }: CalendarEntry): number {
  return (finished ? 2 : 0) + (kind === "task" ? 1 : 0);
}
