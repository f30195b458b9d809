import type { Project } from "@server/contract/views";
import { lazy, Suspense } from "react";
import { useMe } from "@/features/auth/use-auth";
import { mayRequest } from "@/features/projects/project-roles";
import { useProjects } from "@/features/projects/use-projects";
import type { NewRequestFormProps } from "./new-request-form";

const NewRequestForm = lazy(() => import("./new-request-form").then((module) => ({ default: module.NewRequestForm })));

/** The projects in which the reader may file a request. */
export function useRequestableProjects(): Project[] {
  const { accountType } = useMe();
  const { data } = useProjects({ scope: accountType === "admin" ? "all" : "mine" });
  return (data?.items ?? []).filter((project) => mayRequest(project, accountType));
}

/**
 * The dialog "New request"; its code is fetched when it first opens. Of a message: with `message`, its text is what it begins with. Give
 * it a `key` of what it is about.
 */
export function NewRequest({ open, ...rest }: Omit<NewRequestFormProps, "projects">) {
  const projects = useRequestableProjects();
  if (!open || projects.length === 0) return null;
  return (
    <Suspense>
      <NewRequestForm open projects={projects} {...rest} />
    </Suspense>
  );
}
