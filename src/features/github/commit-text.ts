import type { Commit, CommitFeed, ProjectChangeStep, ProjectName } from "@server/contract/views";
import { type CalendarDay, formatInstant, formatInstantLong, today } from "@/lib/format";
import { graphemesOf } from "@/lib/graphemes";

/** Titles on the client's timeline. Spec 9. */
const TITLE_LENGTH = 70;

/** A message's first non-empty line, and the rest. */
export function partsOf(message: string): { title: string; body: string } {
  const [title = "", ...rest] = message.trim().split("\n");
  return { title: title.trim() || "No message", body: rest.join("\n").trim() };
}

/** Shortens a title to 70 graphemes plus "..."; a title of 70 is unchanged. */
export function cutTitle(title: string): string {
  const letters = [...graphemesOf(title)];
  return letters.length > TITLE_LENGTH ? `${letters.slice(0, TITLE_LENGTH).join("").trimEnd()}...` : title;
}

/** "Rohan Shah (rohan-demo)": the commit's author, and the login if GitHub knows the account. */
export function authorOf({ author, commit }: Pick<Commit, "author" | "commit">): string {
  const { name } = commit.author;
  return author && author.login !== name ? `${name} (${author.login})` : name;
}

/** "Today 10:42", else "20 Nov 2026, 10:42". */
export function formatCommitDate(date: string, now: CalendarDay): string {
  return today(new Date(date)) === now ? formatInstant(date) : formatInstantLong(date);
}

/** Groups commits by local day, keeping their order. */
export function byDay(commits: readonly Commit[]): [CalendarDay, Commit[]][] {
  const days = new Map<CalendarDay, Commit[]>();
  for (const commit of commits) {
    const day = today(new Date(commit.commit.author.date));
    const known = days.get(day);
    if (known) known.push(commit);
    else days.set(day, [commit]);
  }
  return [...days];
}

/** Unique in a feed, where a repository of two projects appears twice. */
export function commitKey({ project, sha }: Pick<Commit, "project" | "sha">): string {
  return `${project.id} ${sha}`;
}

/** The feed with a project's tasks as they are now; null when a commit may name a task that is new, or a group is of one that is gone. */
export function renameIn(
  feed: CommitFeed,
  { project, steps }: { project: ProjectName; steps: readonly ProjectChangeStep[] },
): CommitFeed | null {
  const created = steps.flatMap(({ kind, task }) => (kind === "task-created" && task ? [task] : []));
  const names = created.map(({ number }) => `${project.key}-${number}`);
  const isOf = (commit: Commit) => commit.project.id === project.id;
  const text = ({ commit }: Commit) => commit.message.toUpperCase();
  if (feed.items.some((commit) => isOf(commit) && names.some((name) => text(commit).includes(name)))) return null;
  const present = new Map(steps.map(({ taskId, task }) => [taskId, task]));
  // What it was about belongs to another group now.
  if (feed.groups.some(({ task }) => task && present.get(task.id) === null)) return null;
  const renamed = (named: Commit["tasks"][number]) => {
    const task = present.get(named.id);
    if (task === undefined) return [named];
    return task ? [{ ...named, title: task.title, completed: task.completed }] : [];
  };
  const items = feed.items.map((commit) =>
    isOf(commit) ? { ...commit, tasks: commit.tasks.flatMap(renamed) } : commit,
  );
  const groups = feed.groups.map((group) => {
    if (!group.task) return group;
    const task = present.get(group.task.id);
    return task ? { ...group, task: { ...group.task, title: task.title, completed: task.completed } } : group;
  });
  return { ...feed, items, groups };
}
