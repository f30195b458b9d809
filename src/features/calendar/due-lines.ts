import type { MyTask, Project } from "@server/contract/views";
import { isFinished } from "@/features/projects/project-status";
import { isolate } from "@/lib/bidi";
import { type CalendarDay, dueState } from "@/lib/format";

/** Something due: a task assigned to the signed-in person, or a project they take part in. */
export interface DueLine {
  id: string;
  kind: "task" | "project";
  projectId: string;
  /** `HBP-12` of a task. */
  taskKey: string | undefined;
  title: string;
  /** "HBP-12 Harbour booking portal" for a task, "HBP" for a project. */
  subtitle: string;
  due: CalendarDay;
}

/** What is overdue, and what is due within 7 days; by day, projects before tasks. */
export function dueLines({
  tasks,
  projects,
  today,
}: {
  tasks: readonly MyTask[];
  projects: readonly Project[];
  today: CalendarDay;
}): { overdue: DueLine[]; soon: DueLine[] } {
  const lines = [
    ...projects.flatMap((project) => projectLine(project) ?? []),
    ...tasks.flatMap((task) => taskLine(task) ?? []),
  ].toSorted((one, other) => (one.due === other.due ? 0 : one.due < other.due ? -1 : 1));
  const kindOf = ({ due }: DueLine) => dueState(due, today).kind;
  return {
    overdue: lines.filter((line) => kindOf(line) === "overdue"),
    soon: lines.filter((line) => ["today", "tomorrow", "soon"].includes(kindOf(line))),
  };
}

function projectLine({ id, key, title, status, dueDate }: Project): DueLine | null {
  if (dueDate === null || isFinished(status)) return null;
  return { id, kind: "project", projectId: id, taskKey: undefined, title, subtitle: key, due: dueDate };
}

function taskLine({ id, number, title, completed, dueDate, project }: MyTask): DueLine | null {
  if (dueDate === null || completed) return null;
  const taskKey = `${project.key}-${number}`;
  const subtitle = `${taskKey} ${isolate(project.title)}`;
  return { id, kind: "task", projectId: project.id, taskKey, title, subtitle, due: dueDate };
}
