import { PROJECT_MESSAGES } from "@server/contract/messages/projects";
import type { Project } from "@server/contract/views";
import { messageOf } from "@/lib/user-message";
import { ConfirmDialog } from "@/ui/confirm-dialog";
import type { FocusTarget } from "@/ui/dialog";
import { toast } from "@/ui/toast";
import { useDeleteProject } from "./use-projects";

type DeleteProjectDialogProps = {
  /** The project in question; kept while the dialog closes. */
  project: Pick<Project, "id" | "title">;
  open: boolean;
  onClose: (outcome: "deleted" | "kept") => void;
  finalFocus: FocusTarget;
};

/** Asks before a project and its tasks are deleted, and stays open until the server has answered. Spec 5. */
export function DeleteProjectDialog({ project, open, onClose, finalFocus }: DeleteProjectDialogProps) {
  const remove = useDeleteProject();

  async function confirm(): Promise<void> {
    const about = `delete ${project.id}`;
    toast.settle(about);
    try {
      await remove.mutateAsync({ projectId: project.id });
    } catch (error) {
      toast.error(PROJECT_MESSAGES.deleteFailed, { description: messageOf(error), about });
      onClose("kept");
      return;
    }
    toast.success(PROJECT_MESSAGES.deleted);
    onClose("deleted");
  }
  return (
    <ConfirmDialog
      open={open}
      onOpenChange={(next) => !next && onClose("kept")}
      title="Delete project"
      question={PROJECT_MESSAGES.confirmDelete}
      confirmLabel="Delete"
      busyLabel="Deleting..."
      busy={remove.isPending}
      onConfirm={() => void confirm()}
      finalFocus={finalFocus}
    >
      <p dir="auto" className="font-semibold">
        {project.title}
      </p>
    </ConfirmDialog>
  );
}
