import type { ProjectFilter } from "@server/contract/projects";
import type { Project } from "@server/contract/views";
import { fold } from "@/lib/fold";
import type { BoardTab } from "./board-names";
import { tabOf } from "./project-status";

/** Labels of the filter's options. Spec 2. */
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
  /** Projects in which the server found the text, task titles included: the board does not hold those. */
  foundIds?: ReadonlySet<string> | undefined;
};

/** The projects that match filter and search, in their order. */
export function filterProjects(projects: readonly Project[], { filter, q, viewerId, foundIds }: Wish): Project[] {
  const query = fold(q);
  return projects.filter(
    (project) =>
      passes(project, filter, viewerId) && (query === "" || mentions(project, query) || foundIds?.has(project.id)),
  );
}

/** The projects by tab; every tab has an entry. */
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

/** Folding a thousand descriptions on every keystroke would be noticeable. A changed project is a new object. */
const folded = new WeakMap<Project, string>();

function mentions(project: Project, query: string): boolean {
  let text = folded.get(project);
  if (text === undefined) {
    const { title, description, client } = project;
    // One text, joined by a separator that nobody types.
    text = fold([title, description, client?.name ?? ""].join("\n\n"));
    folded.set(project, text);
  }
  return text.includes(query);
}
