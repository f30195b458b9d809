import type { AccountType } from "@db/enums";
import type { Project, ProjectCounts, ProjectPage, Task } from "@server/contract/views";
import type { QueryKey } from "@tanstack/react-query";
import { tabOf } from "./project-status";

/*
 * Updates of cached lists when a project changes. Pure functions that return the same page object when nothing differs, so that
 * nothing renders again.
 */

/** The projects of a list: those the reader takes part in, or all. */
export type ProjectScope = "mine" | "all";

type Viewer = { id: string; accountType: AccountType };

/** Whether a visible project belongs in that list: the server's `involving` for one row. Spec 6. */
export function belongsTo(scope: ProjectScope, project: Project, viewer: Viewer): boolean {
  return (
    scope === "all" ||
    project.clientId === viewer.id ||
    project.assignedTo.includes(viewer.id) ||
    project.managers.includes(viewer.id) ||
    (viewer.accountType === "client" ? project.clientPeople.includes(viewer.id) : project.createdBy === viewer.id)
  );
}

/** Replaces the project where it stands, or inserts it: newest first. An older version than the known one is ignored. */
export function putProject(page: ProjectPage, project: Project): ProjectPage {
  const known = page.items.find(({ id }) => id === project.id);
  if (known) {
    if (known.version > project.version) return page;
    const items = page.items.map((item) => (item.id === project.id ? project : item));
    return { ...page, items, counts: count(count(page.counts, known, -1), project, 1) };
  }
  const at = page.items.findIndex((item) => isNewer(project, item));
  // Beyond the last page read so far: it belongs to a later page.
  if (at === -1 && page.nextCursor !== null) return { ...page, counts: count(page.counts, project, 1) };
  return {
    ...page,
    items: page.items.toSpliced(at === -1 ? page.items.length : at, 0, project),
    counts: count(page.counts, project, 1),
  };
}

export function dropProject(page: ProjectPage, projectId: string): ProjectPage {
  const known = page.items.find(({ id }) => id === projectId);
  if (!known) return page;
  return { ...page, items: page.items.filter((item) => item !== known), counts: count(page.counts, known, -1) };
}

/** Puts or drops the project, depending on whether it still belongs in the list. */
export function settleProject(
  page: ProjectPage,
  { project, scope, viewer }: { project: Project; scope: ProjectScope; viewer: Viewer },
): ProjectPage {
  return belongsTo(scope, project, viewer) ? putProject(page, project) : dropProject(page, project.id);
}

/** What a cached list was asked for. */
export function inputOf([, asked]: QueryKey): { q?: string; scope?: string; asClientId?: string } {
  const { q, scope, asClientId } = Object(Object(asked).input);
  return { q, scope, asClientId };
}

/** A cached list after a change made elsewhere, for whom it is shown to; null when that is not known. */
export function settleIn(
  page: ProjectPage,
  {
    projectId,
    project,
    input: { scope, asClientId },
    me,
  }: {
    projectId: string;
    /** Null when it is gone. */
    project: Project | null;
    input: { scope?: string; asClientId?: string };
    me: Viewer | null | undefined;
  },
): ProjectPage | null {
  if (!project) return dropProject(page, projectId);
  // What its client may see of it, only the server knows.
  if (asClientId !== undefined || !me) return null;
  return settleProject(page, { project, scope: scope === "all" ? "all" : "mine", viewer: me });
}

/** The newer of two versions of a project; of equal ones the second, whose task counts are newer. */
export function newerOf(known: Project, read: Project): Project {
  return known.version > read.version ? known : read;
}

/** The counts that a project's card shows, from its tasks. */
export function countTasks(tasks: readonly Task[]): Project["taskCounts"] {
  return { total: tasks.length, completed: tasks.filter(({ completed }) => completed).length };
}

function count(counts: ProjectCounts, project: Project, by: 1 | -1): ProjectCounts {
  const tab = tabOf(project.status);
  return { ...counts, [tab]: counts[tab] + by };
}

/** ISO instants of one format compare as text; ties break by id, as on the server. */
function isNewer(one: Project, other: Project): boolean {
  return one.createdAt === other.createdAt ? one.id > other.id : one.createdAt > other.createdAt;
}
