import { useLocation } from "@tanstack/react-router";
import type { MouseEvent } from "react";
import { stringifySearch } from "@/lib/search";
import { readBoardSearch } from "./board-search";
import type { ProjectLinkProps } from "./project-card";
import { tabOf } from "./project-status";
import { markOpener, type ToProjectProps } from "./to-project";
import { useOverlays } from "./use-overlays";

/**
 * The title of a card: opens the project's panel and keeps the board's state. Its href, for new tabs and copying, holds only the
 * project and its tab. Not the router's Link: two hundred of them, each subscribed to the address, made a tab switch 200 ms
 * slower on a slow machine.
 */
export function CardLink({ project, ...rest }: ProjectLinkProps) {
  const { openPanel } = useOverlays();
  const address = stringifySearch({ ...readBoardSearch({ tab: tabOf(project.status) }), panel: project.id });
  // The card is draggable, not its link.
  return (
    <a
      {...rest}
      href={`/dashboard${address}`}
      draggable={false}
      onClick={(event) => isPlainClick(event) && openPanel(project.id)}
    />
  );
}

/** Opens a project's panel over the current page, optionally at one of its tasks. */
export function PanelLink({ projectId, taskId, ...rest }: ToProjectProps) {
  const { openPanel } = useOverlays();
  const pathname = useLocation({ select: (location) => location.pathname });
  function open(event: MouseEvent<HTMLAnchorElement>): void {
    if (!isPlainClick(event)) return;
    markOpener(event.currentTarget, projectId);
    openPanel(projectId, taskId);
  }
  // In the calendar the entry is draggable, not its link.
  return (
    <a
      {...rest}
      href={`${pathname}${stringifySearch({ panel: projectId, task: taskId })}`}
      draggable={false}
      onClick={open}
    />
  );
}

/** A click that the app handles; with a modifier key or another button the browser opens the address. */
function isPlainClick(event: MouseEvent): boolean {
  if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return false;
  event.preventDefault();
  return true;
}
