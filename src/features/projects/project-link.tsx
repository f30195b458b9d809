import { useLocation } from "@tanstack/react-router";
import type { MouseEvent } from "react";
import { isPlainClick, useLinkPress } from "@/lib/after-paint";
import { stringifySearch } from "@/lib/search";
import { readBoardSearch } from "./board-search";
import type { ProjectLinkProps } from "./project-card";
import { tabOf } from "./project-status";
import { TaskLink } from "./task-link";
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
  const press = useLinkPress(() => openPanel(project.id));
  // The card is draggable, not its link.
  return <a {...rest} {...press} href={`/dashboard${address}`} draggable={false} />;
}

/** Opens a project's panel, or the page of one of its tasks, over the current page. */
export function PanelLink({ projectId, taskKey, label, ...rest }: ToProjectProps) {
  const { openPanel } = useOverlays();
  const pathname = useLocation({ select: (location) => location.pathname });
  if (taskKey !== undefined) return <TaskLink {...rest} aria-label={label} taskKey={taskKey} />;
  function open(event: MouseEvent<HTMLAnchorElement>): void {
    if (!isPlainClick(event)) return;
    markOpener(event.currentTarget, projectId);
    openPanel(projectId);
  }
  const address = stringifySearch({ panel: projectId });
  return <a {...rest} aria-label={label} href={`${pathname}${address}`} draggable={false} onClick={open} />;
}
