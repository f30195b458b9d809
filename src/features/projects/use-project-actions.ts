import { GENERAL_MESSAGES } from "@server/contract/messages/general";
import { useMemo } from "react";
import { trpc } from "@/lib/trpc";
import { toast } from "@/ui/toast";
import type { ProjectActions } from "./project-card";
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
        if (project.status !== status) move({ project, status });
      },
    }),
    [openPanel, openModal, move, utils],
  );
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
