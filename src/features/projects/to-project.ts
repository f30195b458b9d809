import type { ComponentType, ReactNode } from "react";
import { cardLinkId } from "./project-card";

/** A link to a project's panel, there to one of its tasks; the page that owns the address makes it. */
export type ToProject = ComponentType<ToProjectProps>;
export interface ToProjectProps {
  projectId: string;
  taskId?: string | undefined;
  className?: string | undefined;
  title?: string | undefined;
  /** -1 where something around it is the tab stop. */
  tabIndex?: -1 | undefined;
  children: ReactNode;
}

/**
 * A closed panel gives the focus to the element of one id, which on the board is the project's card. Elsewhere many links
 * may lead to one project: the element that opened its panel takes the id.
 */
export function markOpener(element: HTMLElement, projectId: string): void {
  const id = cardLinkId(projectId);
  document.getElementById(id)?.removeAttribute("id");
  element.id = id;
}
