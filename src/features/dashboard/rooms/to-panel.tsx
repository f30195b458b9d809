import type { MouseEvent } from "react";
import { markOpener, type ToProject, type ToProjectProps } from "@/features/projects/to-project";
import { stringifySearch } from "@/lib/search";
import { type BoardView, readBoardSearch } from "../board-search";
import { useBoardNavigation } from "../use-board";

/** For one room: links that open a project's panel over it. Call it once, outside of components. */
export function panelLinkIn(view: BoardView): ToProject {
  return function ToPanel({ projectId, taskId, ...rest }: ToProjectProps) {
    const { openPanel } = useBoardNavigation();
    const address = stringifySearch(readBoardSearch({ view, panel: projectId, task: taskId }));

    function open(event: MouseEvent<HTMLAnchorElement>): void {
      if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
      event.preventDefault();
      markOpener(event.currentTarget, projectId);
      openPanel(projectId, taskId);
    }
    // In the calendar one drags what the link stands in, not its address.
    return <a {...rest} href={`/dashboard${address}`} draggable={false} onClick={open} />;
  };
}
