import type { ProjectStatus } from "@db/enums";
import type { Project } from "@server/contract/views";
import { fold } from "@/lib/fold";

/** What the list of all projects is narrowed to; without a status it is every status. */
interface Wish {
  q: string;
  status: ProjectStatus | undefined;
}

/** The projects of that status whose title, client or key holds the words, in their order. */
export function narrowProjects(projects: readonly Project[], { q, status }: Wish): readonly Project[] {
  const query = fold(q);
  if (query === "" && status === undefined) return projects;
  return projects.filter(
    (project) => (status === undefined || project.status === status) && (query === "" || mentions(project, query)),
  );
}

function mentions({ title, client, key }: Project, query: string): boolean {
  return [title, client?.name ?? "", key].some((text) => fold(text).includes(query));
}
