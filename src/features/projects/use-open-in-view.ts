import type { Project } from "@server/contract/views";
import { useEffect, useRef } from "react";

/** The id of what opens and closes a project in a list. */
export function headerId(projectId: string): string {
  return `project-row-${projectId}`;
}

/** Scrolls once to the project that the address opens, when it is far down. */
export function useOpenInView(projectId: string | undefined, projects: readonly Pick<Project, "id">[]): void {
  const seen = useRef<string>(undefined);
  useEffect(() => {
    if (projectId === seen.current) return;
    const header = projectId !== undefined && projects.length > 0 && document.getElementById(headerId(projectId));
    if (!header && projectId !== undefined) return;
    seen.current = projectId;
    if (!header) return;
    const isBelow = header.getBoundingClientRect().bottom > window.innerHeight;
    if (isBelow && window.scrollY === 0) header.scrollIntoView({ block: "center" });
  }, [projectId, projects]);
}
