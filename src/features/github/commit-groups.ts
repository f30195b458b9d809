import type { Commit, CommitFeed, NamedTask } from "@server/contract/views";
import { type CalendarDay, plural } from "@/lib/format";

/**
 * What happened on one day to one task, or without a task to a project. Of many changes some are listed only, and none where a project
 * shows counts.
 */
export interface CommitGroup {
  key: string;
  day: CalendarDay;
  project: { id: string; title: string };
  task: Pick<NamedTask, "id" | "title" | "completed"> | null;
  count: number;
  /** Newest first. */
  commits: Commit[];
}

/**
 * A client's feed by day, newest first, and within it by task, with the commits of each that are listed. `titleOf` names the projects
 * that are only counted; one that it does not know yet is left out.
 */
export function commitGroups(
  { items, counts, groups }: Pick<CommitFeed, "items" | "counts" | "groups">,
  titleOf: (projectId: string) => string | undefined,
): CommitGroup[] {
  const listed = new Map(items.map((commit) => [`${commit.project.id} ${commit.sha}`, commit]));
  const named = groups.map(({ project, day, task, count, shas }) => ({
    ...{ key: `${day} ${project.id} ${task?.id ?? ""}`, day, project, task, count },
    commits: shas.flatMap((sha) => listed.get(`${project.id} ${sha}`) ?? []),
  }));
  const counted = counts.flatMap(({ projectId, day, count }) => {
    const title = titleOf(projectId);
    if (title === undefined) return [];
    return [{ key: `${day} ${projectId}`, day, project: { id: projectId, title }, task: null, count, commits: [] }];
  });
  return [...named, ...counted].sort((one, other) => (one.day === other.day ? 0 : one.day < other.day ? 1 : -1));
}

/** "Login page" and ": 4 changes, finished": apart, since a name may be written from right to left. */
export function describeGroup({ task, project, count }: CommitGroup): { name: string; rest: string } {
  const rest = `: ${plural(count, "change")}${task?.completed ? ", finished" : ""}`;
  return { name: task?.title ?? project.title, rest };
}
