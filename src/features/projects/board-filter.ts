import type { ProjectFilter } from "@server/contract/projects";
import type { Project } from "@server/contract/views";
import { fold } from "@/lib/fold";
import type { BoardTab } from "./board-names";
import { tabOf } from "./project-status";

/** The filter's words. Spec 2. */
export const FILTER_LABELS: Record<ProjectFilter, string> = {
  all: "All Projects",
  client: "Client Projects",
  internal: "Internal Projects",
  assigned: "Assigned to Me",
  managed: "Managed by Me",
};

type Wish = {
  filter: ProjectFilter;
  q: string;
  viewerId: string;
  /** Those in which the server found the words, also in titles of tasks, which are not here. */
  foundIds?: ReadonlySet<string> | undefined;
};

/** The projects that filter and search leave, in their order. */
export function filterProjects(projects: readonly Project[], { filter, q, viewerId, foundIds }: Wish): Project[] {
  const query = fold(q);
  return projects.filter(
    (project) =>
      passes(project, filter, viewerId) && (query === "" || mentions(project, query) || foundIds?.has(project.id)),
  );
}

/** The same projects by tab; every tab is there. */
export function groupByTab(projects: readonly Project[]): Record<BoardTab, Project[]> {
  const groups: Record<BoardTab, Project[]> = { todo: [], inProgress: [], completed: [] };
  for (const project of projects) groups[tabOf(project.status)].push(project);
  return groups;
}

/** "1 project", "6 projects". */
export function countLabel(count: number): string {
  return `${count} ${count === 1 ? "project" : "projects"}`;
}

function passes(project: Project, filter: ProjectFilter, viewerId: string): boolean {
  switch (filter) {
    case "all":
      return true;
    case "client":
      return project.clientId !== null;
    case "internal":
      return project.clientId === null;
    case "assigned":
      return project.assignedTo.includes(viewerId);
    case "managed":
      return project.managers.includes(viewerId);
  }
}

/** Folding a thousand descriptions at each key would be felt; a changed project is another object. */
const folded = new WeakMap<Project, string>();

function mentions(project: Project, query: string): boolean {
  let text = folded.get(project);
  if (text === undefined) {
    const { title, description, client } = project;
    // One text, with a break that nobody types.
    text = fold([title, description, client?.name ?? ""].join("\n\n"));
    folded.set(project, text);
  }
  return text.includes(query);
}
