import type { ProjectStatus } from "@db/enums";
import type { Project } from "@server/contract/views";
import { fold } from "@/lib/fold";

/** The filter of the list of all projects; without a status, all statuses match. */
interface Filter {
  q: string;
  status: ProjectStatus | undefined;
}

/** The projects of that status whose title, client or key contains the text, in their order. */
export function narrowProjects(projects: readonly Project[], { q, status }: Filter): readonly Project[] {
  const wanted = fold(q);
  if (wanted === "" && status === undefined) return projects;
  return projects.filter(
    (project) => (status === undefined || project.status === status) && (wanted === "" || mentions(project, wanted)),
  );
}

function mentions({ title, client, key }: Project, wanted: string): boolean {
  return [title, client?.name ?? "", key].some((text) => fold(text).includes(wanted));
}
