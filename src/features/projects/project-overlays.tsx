import type { Project } from "@server/contract/views";
import { useLocation, useRouter } from "@tanstack/react-router";
import { memo, useDeferredValue, useEffect, useRef, useState } from "react";
import { useMe } from "@/features/auth/use-auth";
import { ProjectTasks } from "@/features/tasks/project-tasks";
import { PANEL_EDIT_ID, TasksPanel } from "@/features/tasks/tasks-panel";
import { useTaskOfOldAddress } from "@/features/tasks/use-task-of-old-address";
import { DuplicateDialog } from "@/features/templates/duplicate-dialog";
import { pageHeading } from "@/lib/page-focus";
import { useOpener } from "@/lib/use-opener";
import { useLast } from "@/ui/use-last";
import { filterProjects } from "./board-filter";
import { readBoardSearch } from "./board-search";
import { CreateProjectDialog } from "./create-project-dialog";
import { focusCard, showNewCard } from "./focus-card";
import type { OverlaySearch, ProjectModal } from "./overlay-search";
import { cardLinkId } from "./project-card";
import { ProjectDialog } from "./project-dialog";
import { ProjectHistory } from "./project-history";
import { tabOf } from "./project-status";
import { headerId } from "./use-open-in-view";
import { useOverlays } from "./use-overlays";
import { copyPanelLink } from "./use-project-actions";
import { useProject } from "./use-projects";

/** The tasks panel and the project dialogs, over any page. Forms and people pickers are part of this chunk. */
export const ProjectOverlays = memo(function ProjectOverlays({
  panel,
  task,
  modal: wantedModal,
  project,
}: OverlaySearch) {
  // The clicked card is marked at once; the panel's rows render after that.
  const shownPanel = useDeferredValue(panel, undefined);
  // A task that was opened from the details lies over them: they return when it closes.
  const isUnderTask = task !== undefined && wantedModal === "view";
  const modal = useOnTop(isUnderTask ? undefined : wantedModal, panel === shownPanel);
  const overlays = useOverlays();
  const isFromView = useLocation({ select: ({ state }) => state.editFromView === true });
  const opener = useOpener(wantedModal !== undefined);
  const lastPanel = useRef("");
  const lastProject = useRef("");
  const create = useCreated();
  useEffect(() => {
    if (panel) lastPanel.current = panel;
    if (project) lastProject.current = project;
  }, [panel, project]);
  useTaskOfOldAddress({ task, projectId: panel });

  const copied = useProject(modal === "duplicate" ? project : undefined).data;
  const lastCopied = useLast(copied, copied !== undefined);
  const isCopying = copied?.canEdit === true;
  const finalFocus = () =>
    !isUnderTask && (inDialog(opener()) ?? panelButton() ?? cardOf(lastProject.current) ?? opener());

  const closeModal = () => overlays.close("modal");
  function closePanel(): void {
    // What lies on top handles the key or the click.
    if (!panel || modal || task) return;
    overlays.close("panel");
    focusCard(panel);
  }
  return (
    <>
      <TasksPanel
        projectId={shownPanel}
        onClose={closePanel}
        onView={({ id }) => overlays.openModal("view", id)}
        onEdit={({ id }) => overlays.openModal("edit", id)}
        onCopyLink={({ id }) => void copyPanelLink(id)}
        finalFocus={() => cardOf(lastPanel.current) ?? pageHeading()}
        isCovered={task !== undefined || modal !== undefined}
      />
      <ProjectDialog
        mode={modeOf(isCopying ? undefined : modal)}
        projectId={project}
        onClose={closeModal}
        onEdit={overlays.viewToEdit}
        onDuplicated={create.onCreated}
        onEditDone={isFromView ? overlays.editToView : closeModal}
        finalFocus={finalFocus}
        renderTasks={(shown) => (
          <>
            <ProjectTasks project={shown} />
            <ProjectHistory projectId={shown.id} className="mt-6" />
          </>
        )}
      />
      <CreateProjectDialog
        open={modal === "create"}
        onClose={closeModal}
        onCreated={create.onCreated}
        finalFocus={() => create.row() ?? opener()}
      />
      {lastCopied && (
        <DuplicateDialog
          project={lastCopied}
          open={isCopying}
          onClose={closeModal}
          onCreated={create.onCreated}
          finalFocus={() => create.row() ?? finalFocus()}
        />
      )}
    </>
  );
});

/** What the project's dialog shows for an address: whoever may not copy the project sees what there is to see of it. */
function modeOf(modal: ProjectModal | undefined): "view" | "edit" | undefined {
  if (modal === "create") return undefined;
  return modal === "duplicate" ? "view" : modal;
}

/** Shows a new project: its row in the admin's list, else its card on the board. */
function useCreated() {
  const me = useMe();
  const router = useRouter();
  const { close } = useOverlays();
  const createdId = useRef("");

  function onCreated(project: Project): void {
    createdId.current = project.id;
    const { pathname, search } = router.latestLocation;
    if (pathname.startsWith("/admin")) {
      close("modal");
      return;
    }
    const { filter = "all", q = "" } = readBoardSearch(search);
    const isHidden = filterProjects([project], { filter, q, viewerId: me.id }).length === 0;
    const { tab } = readBoardSearch({ tab: tabOf(project.status) });
    close("modal", { to: "/dashboard", search: { tab, ...(isHidden && { filter: undefined, q: undefined }) } });
    showNewCard(project.id);
  }
  /** Its row, if the list's filter includes it. */
  function row(): HTMLElement | null {
    const created = document.getElementById(headerId(createdId.current));
    createdId.current = "";
    return created;
  }
  return { onCreated, row };
}

/** When an address opens both, the dialog opens after the panel, which would otherwise cover it on a phone. */
function useOnTop<Modal>(modal: Modal, isPanelShown: boolean): Modal | undefined {
  const [mayOpen, setMayOpen] = useState(false);
  useEffect(() => {
    if (mayOpen || !isPanelShown) return undefined;
    const frame = requestAnimationFrame(() => setMayOpen(true));
    return () => cancelAnimationFrame(frame);
  }, [mayOpen, isPanelShown]);
  return mayOpen ? modal : undefined;
}

/** The element, if it is inside a dialog such as the panel. */
function inDialog(element: HTMLElement | null): HTMLElement | null {
  return element?.closest('[role="dialog"]') ? element : null;
}

function panelButton(): HTMLElement | null {
  return document.getElementById(PANEL_EDIT_ID);
}

function cardOf(projectId: string): HTMLElement | null {
  return document.getElementById(cardLinkId(projectId));
}
