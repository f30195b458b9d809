import type { Finding, LiveLinkCheck, LiveLinkPulse } from "@server/contract/views";
import { CircleAlert, CircleCheck, CircleDashed, CircleSlash, type LucideIcon } from "lucide-react";
import { type CalendarDay, daysBetween, formatDay, plural } from "@/lib/format";
import type { Tone } from "@/ui/tone";

/** What a finding says, without the thing that it is about: "In progress, no commit for 12 days". */
export function describeFinding({ kind, count, project }: Finding, today: CalendarDay): string {
  switch (kind) {
    case "no-commits":
      return `In progress, no commit for ${plural(count ?? 0, "day")}`;
    case "commits-after-completion":
      return `Completed, but ${plural(count ?? 0, "commit")} since`;
    case "due-soon":
      return `Due ${nearDay(project.dueDate, today)}, ${plural(count ?? 0, "open task")}`;
    case "repository-dead":
      return "Repository link is dead";
    case "live-link-dead":
      return "Live link does not answer";
  }
}

/** Whether a line says since when it is so; of the others that is in the line already, or nothing to them. */
export function hasMoment({ kind }: Finding): boolean {
  return kind === "repository-dead" || kind === "live-link-dead";
}

/** What a finding is about: a task with its key, or the project. */
export function subjectOf({ project, task }: Finding): { title: string; subtitle: string; taskKey?: string } {
  if (!task) return { title: project.title, subtitle: `Project ${project.key}` };
  const taskKey = `${project.key}-${task.number}`;
  return { title: task.title, subtitle: `${taskKey} · ${project.title}`, taskKey };
}

function nearDay(day: CalendarDay | null, today: CalendarDay): string {
  if (day === null) return "soon";
  const days = daysBetween(today, day);
  if (days === 0) return "today";
  return days === 1 ? "tomorrow" : `on ${formatDay(day)}`;
}

/** How a live link is, in words and never in red: it may be on purpose. */
export const PULSE_META: Record<LiveLinkPulse["state"], { tone: Tone; icon: LucideIcon; label: string }> = {
  unknown: { tone: "grey", icon: CircleDashed, label: "Not checked yet" },
  up: { tone: "green", icon: CircleCheck, label: "Answers" },
  failing: { tone: "grey", icon: CircleDashed, label: "Did not answer last time" },
  dead: { tone: "orange", icon: CircleAlert, label: "Does not answer" },
  refused: { tone: "grey", icon: CircleSlash, label: "Not checked: no public address" },
};

const ERROR_LABELS: Record<NonNullable<LiveLinkCheck["error"]>, string> = {
  "unknown-host": "The host can't be found",
  unreachable: "The host can't be reached",
  ended: "No answer within 10 seconds",
  redirects: "Redirects in a loop",
};

/** What one check found: "HTTP 200". */
export function describeCheck({ status, error }: Pick<LiveLinkCheck, "status" | "error">): string {
  if (status !== null) return `HTTP ${status}`;
  return error === null ? "No answer" : ERROR_LABELS[error];
}
