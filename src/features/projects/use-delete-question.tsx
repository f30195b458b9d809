import type { Project } from "@server/contract/views";
import { lazy, type ReactNode, Suspense, useCallback, useState } from "react";

const load = () => import("@/features/projects/delete-project-dialog");
const DeleteProjectDialog = lazy(() => load().then((module) => ({ default: module.DeleteProjectDialog })));

/** Fetches the dialog's code ahead of time. */
export function preloadDeleteQuestion(): void {
  // A failure shows when the dialog is opened.
  load().catch(() => undefined);
}

/** Asks before a project is deleted. The focus then goes to the next row, or back to the button when it was not deleted. */
export function useDeleteQuestion({
  onDeleted,
  focusTarget,
}: {
  onDeleted: (projectId: string) => void;
  focusTarget: () => HTMLElement | null;
}): {
  ask: (project: Project) => void;
  question: ReactNode;
} {
  const [asked, setAsked] = useState<Project | null>(null);
  const [isOpen, setOpen] = useState(false);

  const ask = useCallback((project: Project) => {
    setAsked(project);
    setOpen(true);
  }, []);
  const question = asked && (
    <Suspense>
      <DeleteProjectDialog
        project={asked}
        open={isOpen}
        onClose={(outcome) => {
          setOpen(false);
          if (outcome === "deleted") onDeleted(asked.id);
        }}
        finalFocus={focusTarget}
      />
    </Suspense>
  );
  return { ask, question };
}
