import type { Project } from "@server/contract/views";
import { useDeferredValue, useEffect, useRef, useState } from "react";
import { CreateProjectDialog } from "@/features/projects/create-project-dialog";
import { cardLinkId, type ProjectActions } from "@/features/projects/project-card";
import { ProjectDialog } from "@/features/projects/project-dialog";
import { ProjectHistory } from "@/features/projects/project-history";
import { ProjectTasks } from "@/features/tasks/project-tasks";
import { PANEL_EDIT_ID, TasksPanel } from "@/features/tasks/tasks-panel";
import { focusCard } from "../projects/focus-card";
import { showTask } from "../tasks/show-task";
import { useBoardNavigation, useBoardSearch, useEditFromView } from "./use-board";

type BoardLayersProps = {
  /** Clients read only: an address that asks for the form opens nothing. */
  mayCreate: boolean;
  actions: ProjectActions;
  onCreated: (project: Project) => void;
};

/** What opens over the board: the tasks panel and the dialogs. Forms and lists of people come with it, so it loads later. */
export function BoardLayers({ mayCreate, actions, onCreated }: BoardLayersProps) {
  const { panel, task, modal: wantedModal, project } = useBoardSearch();
  // The pressed card answers at once; the panel's rows are drawn after that.
  const shownPanel = useDeferredValue(panel, undefined);
  const modal = useOnTop(wantedModal, panel === shownPanel);
  const navigation = useBoardNavigation();
  const isFromView = useEditFromView();
  const lastPanel = useRef("");
  const lastProject = useRef("");
  useEffect(() => {
    if (panel) lastPanel.current = panel;
    if (project) lastProject.current = project;
  }, [panel, project]);
  useEffect(() => (task ? showTask(task) : undefined), [task]);

  const closeModal = () => navigation.close("modal");
  function closePanel(): void {
    // A dialog on top takes the key and the press.
    if (!panel || modal) return;
    navigation.close("panel");
    focusCard(panel);
  }
  return (
    <>
      <TasksPanel
        projectId={shownPanel}
        onClose={closePanel}
        onEdit={actions.edit}
        onCopyLink={actions.copyLink}
        finalFocus={() => cardOf(lastPanel.current) ?? heading()}
      />
      <ProjectDialog
        mode={modal === "create" ? undefined : modal}
        projectId={project}
        onClose={closeModal}
        onEdit={navigation.viewToEdit}
        onEditDone={isFromView ? navigation.editToView : closeModal}
        finalFocus={() => document.getElementById(PANEL_EDIT_ID) ?? cardOf(lastProject.current) ?? heading()}
        renderTasks={(shown) => (
          <>
            <ProjectTasks project={shown} />
            <ProjectHistory projectId={shown.id} className="mt-6" />
          </>
        )}
      />
      <CreateProjectDialog open={mayCreate && modal === "create"} onClose={closeModal} onCreated={onCreated} />
    </>
  );
}

/** An address may name both: the dialog then opens after the panel, or on a phone the panel would cover it and its name. */
function useOnTop<Modal>(modal: Modal, isPanelShown: boolean): Modal | undefined {
  const [mayOpen, setMayOpen] = useState(false);
  useEffect(() => {
    if (mayOpen || !isPanelShown) return undefined;
    const frame = requestAnimationFrame(() => setMayOpen(true));
    return () => cancelAnimationFrame(frame);
  }, [mayOpen, isPanelShown]);
  return mayOpen ? modal : undefined;
}

function cardOf(projectId: string): HTMLElement | null {
  return document.getElementById(cardLinkId(projectId));
}

/** Where the focus goes when what opened a layer is no longer there. */
function heading(): HTMLElement | null {
  return document.querySelector<HTMLElement>("main h1");
}
