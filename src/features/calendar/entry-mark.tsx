import { CalendarX, CircleCheck, CircleX, FolderKanban, ListChecks } from "lucide-react";
import { cn } from "@/lib/cn";
import type { CalendarDay } from "@/lib/format";
import { VisuallyHidden } from "@/ui/visually-hidden";
import { type CalendarEntry, isOverdue } from "./calendar-entries";

type EntryMarkProps = { entry: CalendarEntry; today: CalendarDay; size?: 14 | 18 | undefined };

/** An icon for the kind and state of an entry: overdue, finished, a project or a task. */
export function EntryMark({ entry, today, size = 14 }: EntryMarkProps) {
  const isLate = isOverdue(entry, today);
  const Icon = isLate ? CalendarX : iconOf(entry);
  return <Icon size={size} className={cn("shrink-0", isLate ? "text-red" : "text-ink3")} />;
}

/** The title, struck through when finished, and the state as text for screen readers. */
export function EntryTitle({ entry, today }: Pick<EntryMarkProps, "entry" | "today">) {
  const isLate = isOverdue(entry, today);
  return (
    <>
      <span className={cn(entry.finished && "text-ink3 line-through", isLate && "text-red")}>{entry.title}</span>
      <VisuallyHidden>{describeState(entry, isLate)}</VisuallyHidden>
    </>
  );
}

function iconOf({ finished, status, kind }: CalendarEntry) {
  if (finished) return status === "cancelled" ? CircleX : CircleCheck;
  return kind === "project" ? FolderKanban : ListChecks;
}

function describeState({ kind, finished, status }: CalendarEntry, isLate: boolean): string {
  const state = isLate ? ", overdue" : finished ? `, ${status === "cancelled" ? "cancelled" : "completed"}` : "";
  return `, ${kind}${state}`;
}
