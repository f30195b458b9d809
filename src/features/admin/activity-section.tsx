import { Link } from "@tanstack/react-router";
import { type ComponentProps, useMemo, useState } from "react";
import { ProjectActivity, type ToToken } from "@/features/github/project-activity";
import { useProjects } from "@/features/projects/use-projects";
import { TOKEN_ANCHOR, withAdminSearch } from "./admin-search";
import { LazyProjectForms } from "./lazy-project-forms";
import type { ShownForm } from "./project-forms";

/** ?section=activity: what was committed, and the forms of projects whose links are to be mended. Spec 2, Activity tab. */
export function ActivitySection() {
  const [form, setForm] = useState<ShownForm>(null);
  const projects = useProjects({ scope: "all" }).data?.items;
  const mending = useMemo(
    () => ({
      titleOf: (projectId: string) => projects?.find(({ id }) => id === projectId)?.title,
      edit: (projectId: string) => setForm({ edit: projectId }),
    }),
    [projects],
  );
  return (
    <>
      <ProjectActivity mending={mending} toToken={ToRepositoryToken} />
      <LazyProjectForms shown={form} onClose={() => setForm(null)} />
    </>
  );
}

function ToRepositoryToken(props: ComponentProps<ToToken>) {
  return (
    <Link {...props} from="/admin" to="/admin" search={withAdminSearch({ section: "settings" })} hash={TOKEN_ANCHOR} />
  );
}
