import type { Project } from "@server/contract/views";
import { useEffect, useRef } from "react";

/** The id of a row's header button, and of a card's heading in the portal. */
export function headerId(projectId: string): string {
  return `project-row-${projectId}`;
}

/** Scrolls once to the project that the address opens, when it is far down. */
export function useOpenInView(projectId: string | undefined, projects: readonly Project[]): void {
  const wished = useRef(projectId);
  useEffect(() => {
    if (wished.current === undefined) return;
    const header = projects.length > 0 && document.getElementById(headerId(wished.current));
    if (!header) return;
    wished.current = undefined;
    const isBelow = header.getBoundingClientRect().bottom > window.innerHeight;
    if (isBelow && window.scrollY === 0) header.scrollIntoView({ block: "center" });
  }, [projects]);
}
