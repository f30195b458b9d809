import type { Project } from "@server/contract/views";
import { type ComponentProps, useMemo } from "react";
import { SubjectFiles } from "./subject-files";

type ProjectFilesProps = Omit<ComponentProps<typeof SubjectFiles>, "subject" | "project"> & {
  project: Pick<Project, "id" | "clientCollaboration">;
};

/** The files of a project itself, not of its tasks and messages. */
export function ProjectFiles({ project, ...rest }: ProjectFilesProps) {
  const subject = useMemo(() => ({ projectId: project.id }), [project.id]);
  return <SubjectFiles key={project.id} subject={subject} project={project} {...rest} />;
}
