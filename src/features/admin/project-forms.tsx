import type { Project } from "@server/contract/views";
import { CreateProjectDialog } from "@/features/projects/create-project-dialog";
import { ProjectDialog } from "@/features/projects/project-dialog";

/** What is open over the list: the form of a new project, or that of the named one. */
export type ShownForm = "create" | { edit: string } | null;

type ProjectFormsProps = {
  shown: ShownForm;
  onClose: () => void;
  onCreated: (project: Project) => void;
};

/** The forms over "All Projects". They bring the people's comboboxes with them, so they load when somebody comes near. */
export function ProjectForms({ shown, onClose, onCreated }: ProjectFormsProps) {
  const edited = shown !== null && shown !== "create" ? shown.edit : undefined;
  return (
    <>
      <ProjectDialog
        mode={edited ? "edit" : undefined}
        projectId={edited}
        onClose={onClose}
        onEdit={onClose}
        onEditDone={onClose}
        renderTasks={() => null}
      />
      <CreateProjectDialog
        open={shown === "create"}
        onClose={onClose}
        onCreated={(project) => {
          onClose();
          onCreated(project);
        }}
      />
    </>
  );
}
