import { useMemo } from "react";
import { cardLinkId, type ProjectActions } from "@/features/projects/project-card";
import { tabOf } from "@/features/projects/project-status";
import { useMoveProject } from "@/features/projects/use-projects";
import { copyPanelLink } from "../dashboard/copy-link";
import { useBoardNavigation } from "../dashboard/use-board";

/** What one does with a project on the board; the same object for as long as the page is open. */
export function useBoardActions(): ProjectActions {
  const { openPanel, openModal } = useBoardNavigation();
  const { mutate: move } = useMoveProject();
  return useMemo(
    () => ({
      openTasks: ({ id }) => openPanel(id),
      view: ({ id }) => openModal("view", id),
      edit: ({ id }) => openModal("edit", id),
      copyLink: ({ id }) => void copyPanelLink(id),
      move(project, status) {
        if (project.status === status) return;
        const next = tabOf(project.status) === tabOf(status) ? cardLinkId(project.id) : neighbourOf(project.id);
        move({ project, status });
        // After the menu has given the focus back to its button, which leaves with the card.
        setTimeout(() => document.getElementById(next)?.focus());
      },
    }),
    [openPanel, openModal, move],
  );
}

/** The id of the next card's link, of the one before at the end, of the tabs when it was the last. */
function neighbourOf(projectId: string): string {
  const row = document.getElementById(cardLinkId(projectId))?.closest("li");
  const link = (row?.nextElementSibling ?? row?.previousElementSibling)?.querySelector("h3 a");
  return link?.id ?? document.querySelector('[role="tab"][aria-selected="true"]')?.id ?? "";
}
