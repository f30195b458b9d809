import type { ComponentType, ReactNode } from "react";
import { cardLinkId } from "./project-card";

/** A link to a project's panel, or to the page of a task of it. The page provides it, because it knows the address. */
export type ToProject = ComponentType<ToProjectProps>;
export interface ToProjectProps {
  projectId: string;
  /** `HBP-3` */
  taskKey?: string | undefined;
  className?: string | undefined;
  title?: string | undefined;
  /** Its name, where what stands in it does not say enough. */
  label?: string | undefined;
  /** -1 where a parent is the tab stop. */
  tabIndex?: -1 | undefined;
  children: ReactNode;
}

/**
 * A closing panel focuses the element with a fixed id: on the board the project's card. On other pages several links may open the
 * same project, so the one that opened the panel gets the id.
 */
export function markOpener(element: HTMLElement, projectId: string): void {
  const id = cardLinkId(projectId);
  document.getElementById(id)?.removeAttribute("id");
  element.id = id;
}
