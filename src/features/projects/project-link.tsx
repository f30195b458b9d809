import type { MouseEvent } from "react";
import type { ProjectLinkProps } from "@/features/projects/project-card";
import { tabOf } from "@/features/projects/project-status";
import { stringifySearch } from "@/lib/search";
import { readBoardSearch } from "../dashboard/board-search";
import { useBoardNavigation } from "../dashboard/use-board";

/**
 * The title of a card: opens the project's panel over the board as it is. Its own address, for other tabs and for copying,
 * holds only the project and its tab. Not the router's Link: two hundred of those, each following every change of the
 * address, cost a tab switch 200 ms on a slow machine.
 */
export function PanelLink({ project, ...rest }: ProjectLinkProps) {
  const { openPanel } = useBoardNavigation();
  const address = stringifySearch(readBoardSearch({ tab: tabOf(project.status), panel: project.id }));

  function open(event: MouseEvent): void {
    if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    openPanel(project.id);
  }
  // What one drags is the card, not its address.
  return <a {...rest} href={`/dashboard${address}`} draggable={false} onClick={open} />;
}
