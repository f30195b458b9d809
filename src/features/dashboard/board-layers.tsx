import type { Project } from "@server/contract/views";
import { CreateProjectDialog } from "@/features/projects/create-project-dialog";
import { cardLinkId, type ProjectActions } from "@/features/projects/project-card";
import { ProjectDialog } from "@/features/projects/project-dialog";
import { ProjectTasks } from "@/features/tasks/project-tasks";
import { TasksPanel } from "@/features/tasks/tasks-panel";
import { useBoardNavigation, useBoardSearch, useEditFromView } from "./use-board";

type BoardLayersProps = {
  actions: ProjectActions;
  onCreated: (project: Project) => void;
};

/** What opens over the board: the tasks panel and the dialogs. Forms and lists of people come with it, so it loads later. */
export function BoardLayers({ actions, onCreated }: BoardLayersProps) {
  const { panel, modal, project } = useBoardSearch();
  const navigation = useBoardNavigation();
  const isFromView = useEditFromView();
  const closeModal = () => navigation.close("modal");
  return (
    <>
      <TasksPanel
        projectId={panel}
        // A dialog on top takes the key and the press.
        onClose={() => !modal && navigation.close("panel")}
        onEdit={actions.edit}
        onCopyLink={actions.copyLink}
        finalFocus={() => (panel ? document.getElementById(cardLinkId(panel)) : null) ?? heading()}
      />
      <ProjectDialog
        mode={modal === "create" ? undefined : modal}
        projectId={project}
        onClose={closeModal}
        onEdit={navigation.viewToEdit}
        onEditDone={isFromView ? navigation.editToView : closeModal}
        renderTasks={(shown) => <ProjectTasks project={shown} />}
      />
      <CreateProjectDialog open={modal === "create"} onClose={closeModal} onCreated={onCreated} />
    </>
  );
}

/** Where the focus goes when what opened a layer is no longer there. */
function heading(): HTMLElement | null {
  return document.querySelector<HTMLElement>("main h1");
}
