import type { DateDuration } from "@internationalized/date";
import { CalendarClock, ChevronRight, ChevronsRight, Ellipsis } from "lucide-react";
import { StatusChip } from "@/features/projects/status-chip";
import type { ToProject } from "@/features/projects/to-project";
import type { CalendarDay } from "@/lib/format";
import { rowAction, rowMark } from "@/lib/use-row-focus";
import { ActionMenu } from "@/ui/action-menu";
import { IconButton } from "@/ui/icon-button";
import type { MenuEntry } from "@/ui/menu-entry";
import type { CalendarEntry } from "./calendar-entries";
import { EntryMark, EntryTitle } from "./entry-mark";

export type MoveEntry = (entry: CalendarEntry, day: CalendarDay) => void;

/** The actions of an entry's menu. */
export interface EntryActions {
  /** Opens the dialog for another due date. */
  ask: (entry: CalendarEntry) => void;
  later: (entry: CalendarEntry, by: DateDuration) => void;
}

type EntryListProps = {
  /** The accessible name of the list. */
  label: string;
  entries: readonly CalendarEntry[];
  today: CalendarDay;
  link: ToProject;
  actions: EntryActions;
};

/** The entries of a day, each with its menu. */
export function EntryList({ label, entries, today, link, actions }: EntryListProps) {
  return (
    <ul aria-label={label}>
      {entries.map((entry) => (
        <li
          key={entry.key}
          {...rowMark(entry.key)}
          className="relative flex items-center gap-3 border-line border-t py-2.5 first:border-t-0"
        >
          <EntryLine entry={entry} today={today} link={link} />
          {entry.canEdit && (
            <span className="relative z-1 -my-1 -me-1.5 shrink-0">
              <ActionMenu
                label={`Actions for ${entry.title}`}
                trigger={
                  <IconButton {...rowAction} icon={Ellipsis} label={`More actions for ${entry.title}`} size="sm" />
                }
                entries={menuOf(entry, actions)}
              />
            </span>
          )}
        </li>
      ))}
    </ul>
  );
}

function menuOf(entry: CalendarEntry, { ask, later }: EntryActions): MenuEntry[] {
  return [
    { label: "Move due date…", icon: CalendarClock, onSelect: () => ask(entry) },
    { label: "One day later", icon: ChevronRight, onSelect: () => later(entry, { days: 1 }) },
    { label: "One week later", icon: ChevronsRight, onSelect: () => later(entry, { weeks: 1 }) },
  ];
}

function EntryLine({ entry, today, link: Link }: Pick<EntryListProps, "today" | "link"> & { entry: CalendarEntry }) {
  const hasChip = !entry.finished && entry.status !== "todo";
  return (
    <>
      <EntryMark entry={entry} today={today} size={18} />
      <div className="min-w-0 flex-1">
        <Link
          projectId={entry.projectId}
          taskKey={entry.taskKey}
          className="block font-medium outline-none [overflow-wrap:anywhere] after:absolute after:inset-0 focus-visible:after:outline-2 focus-visible:after:outline-ring focus-visible:after:-outline-offset-2"
        >
          <EntryTitle entry={entry} today={today} />
        </Link>
        <p className="truncate text-dense text-ink2">{entry.subtitle}</p>
      </div>
      {hasChip && <StatusChip status={entry.status} className="max-sm:hidden" />}
    </>
  );
}
