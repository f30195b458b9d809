import { GENERAL_MESSAGES } from "@server/contract/messages/general";
import { useMemo } from "react";
import { trpc } from "@/lib/trpc";
import { toast } from "@/ui/toast";
import { cardLinkId, type ProjectActions } from "./project-card";
import { tabOf } from "./project-status";
import { useOverlays } from "./use-overlays";
import { useMoveProject } from "./use-projects";

/** The actions of a card on the board. The object stays the same while the page is open. */
export function useProjectActions(): ProjectActions {
  const { openPanel, openModal } = useOverlays();
  const { mutate: move } = useMoveProject();
  const utils = trpc.useUtils();
  return useMemo(
    () => ({
      openTasks: ({ id }) => openPanel(id),
      view: ({ id }) => openModal("view", id),
      edit: ({ id }) => openModal("edit", id),
      duplicate: ({ id }) => openModal("duplicate", id),
      saveAsTemplate: ({ id }) =>
        void import("@/features/templates/use-save-template")
          .then(({ saveTemplate }) => saveTemplate(utils, id))
          .catch(() => toast.error(GENERAL_MESSAGES.unreachable)),
      copyLink: ({ id }) => void copyPanelLink(id),
      move(project, status) {
        if (project.status === status) return;
        const next = tabOf(project.status) === tabOf(status) ? cardLinkId(project.id) : neighbourOf(project.id);
        move({ project, status });
        // After the menu has returned the focus to its button, which may disappear with the card.
        setTimeout(() => document.getElementById(next)?.focus());
      },
    }),
    [openPanel, openModal, move, utils],
  );
}

/** The id of the next card's link, of the previous one at the end of the list, or of the tab when no other card is left. */
function neighbourOf(projectId: string): string {
  const row = document.getElementById(cardLinkId(projectId))?.closest("li");
  const link = (row?.nextElementSibling ?? row?.previousElementSibling)?.querySelector("h3 a");
  return link?.id ?? document.querySelector('[role="tab"][aria-selected="true"]')?.id ?? "";
}

/** Puts the address of a project's panel on the clipboard, and says so. */
export function copyPanelLink(projectId: string): Promise<void> {
  return copyLink(`/dashboard?panel=${projectId}`);
}

/** Puts one of our addresses on the clipboard, and says so. */
export async function copyLink(path: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(new URL(path, location.origin).href);
    toast.success("Link copied");
  } catch {
    toast.error("Couldn't copy the link.", { description: "Your browser doesn't allow copying here." });
  }
}
