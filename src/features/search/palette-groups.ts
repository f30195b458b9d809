import { type RecentChoice, recentChoices } from "@/features/search/recent-choices";
import { fold } from "@/lib/fold";
import type { PaletteGroup, PaletteItem } from "@/ui/command-palette";

type Choices = {
  /** Blank for no query. */
  query: string;
  personId: string;
  commands: readonly PaletteItem[];
  /** Those that match the query. */
  projects: readonly PaletteItem[];
  tasks: readonly PaletteItem[];
  people: readonly PaletteItem[];
  comments: readonly PaletteItem[];
  messages: readonly PaletteItem[];
  requests: readonly PaletteItem[];
  files: readonly PaletteItem[];
  /** By id, whether it matches or not. */
  project: (id: string) => PaletteItem | undefined;
};

/** The palette's list: recent choices and all commands for an empty query, else whatever matches. */
export function paletteGroups({
  query,
  personId,
  commands,
  projects,
  tasks,
  people,
  comments,
  messages,
  requests,
  files,
  project,
}: Choices): PaletteGroup[] {
  const groups = query === "" ? startOf() : [{ label: "Commands", items: matching(commands, query) }, ...finds()];
  return groups.filter(({ items }) => items.length > 0);

  function startOf(): PaletteGroup[] {
    const recent = recentChoices(personId).flatMap((choice) => itemOf(choice) ?? []);
    const taken = new Set(recent.map(({ value }) => value));
    return [
      { label: "Recent", items: recent },
      { label: "Commands", items: commands.filter(({ value }) => !taken.has(value)) },
    ];
  }

  function finds(): PaletteGroup[] {
    return [
      { label: "Projects", items: projects },
      { label: "Tasks", items: tasks },
      { label: "People", items: people },
      { label: "Comments", items: comments },
      { label: "Messages", items: messages },
      { label: "Requests", items: requests },
      { label: "Files", items: files },
    ];
  }

  function itemOf(choice: RecentChoice): PaletteItem | undefined {
    if (choice.startsWith("command:")) return commands.find(({ value }) => value === choice);
    return project(choice.slice("project:".length));
  }
}

/** Items in which each typed word is the beginning of a word. */
export function matching(items: readonly PaletteItem[], query: string): PaletteItem[] {
  const wanted = fold(query).split(/\s+/);
  return items.filter(({ label }) => {
    const own = fold(label).split(/\s+/);
    return wanted.every((word) => own.some((one) => one.startsWith(word)));
  });
}

/** "2 projects, 1 person", for screen readers. */
export function describeFound(groups: readonly PaletteGroup[]): string {
  return groups
    .map(({ label, items: { length } }) => `${length} ${length === 1 ? SINGULAR[label] : label.toLowerCase()}`)
    .join(", ");
}

const SINGULAR: Record<string, string> = {
  Recent: "recent",
  Commands: "command",
  Projects: "project",
  Tasks: "task",
  People: "person",
  Comments: "comment",
  Messages: "message",
  Requests: "request",
  Files: "file",
};
