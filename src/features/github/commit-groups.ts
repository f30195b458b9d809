import type { Commit, CommitFeed, NamedTask } from "@server/contract/views";
import { type CalendarDay, today } from "@/lib/format";
import { pluralize } from "./commit-text";

/** What happened on one day to one task, or without a task to a project. Where a project shows counts only, there are no commits. */
export interface CommitGroup {
  key: string;
  day: CalendarDay;
  project: { id: string; title: string };
  task: NamedTask | null;
  count: number;
  /** Newest first. */
  commits: Commit[];
}

/**
 * A client's feed by day, newest first, and within it by task: each commit once, under the first task that it names. `titleOf`
 * names the projects that are only counted; one that it does not know yet is left out.
 */
export function commitGroups(
  { items, counts }: Pick<CommitFeed, "items" | "counts">,
  titleOf: (projectId: string) => string | undefined,
): CommitGroup[] {
  const groups = new Map<string, CommitGroup>();
  for (const commit of items) {
    const day = today(new Date(commit.commit.author.date));
    const { project, tasks } = commit;
    const task = tasks[0] ?? null;
    const key = `${day} ${project.id} ${task?.id ?? ""}`;
    const group = groups.get(key) ?? { key, day, project, task, count: 0, commits: [] };
    group.commits.push(commit);
    group.count += 1;
    groups.set(key, group);
  }
  for (const { projectId, day, count } of counts) {
    const title = titleOf(projectId);
    const key = `${day} ${projectId}`;
    if (title !== undefined)
      groups.set(key, { key, day, project: { id: projectId, title }, task: null, count, commits: [] });
  }
  return [...groups.values()].sort((one, other) => (one.day === other.day ? 0 : one.day < other.day ? 1 : -1));
}

/** "Login page" and ": 4 changes, finished": apart, since a name may be written from right to left. */
export function describeGroup({ task, project, count }: CommitGroup): { name: string; rest: string } {
  const rest = `: ${pluralize(count, "change")}${task?.completed ? ", finished" : ""}`;
  return { name: task?.title ?? project.title, rest };
}
