import type { Project } from "@server/contract/views";
import { lazy, type ReactNode, Suspense, useCallback, useRef, useState } from "react";
import { deleteButtonNear, headerNear, type Place, placeOf } from "./row-focus";

const load = () => import("@/features/projects/delete-project-dialog");
const DeleteProjectDialog = lazy(() => load().then((module) => ({ default: module.DeleteProjectDialog })));

/** Fetches the question before anybody asks. */
export function preloadDeleteQuestion(): void {
  // A failure shows when the question is asked.
  load().catch(() => undefined);
}

/** Asks before a project of the list goes; the focus then goes to the next row, or back to the button when it stays. */
export function useDeleteQuestion({ onDeleted }: { onDeleted: (projectId: string) => void }): {
  ask: (project: Project) => void;
  question: ReactNode;
} {
  const [asked, setAsked] = useState<Project | null>(null);
  const [isOpen, setOpen] = useState(false);
  const place = useRef<Place | null>(null);
  const isDeleted = useRef(false);

  const ask = useCallback((project: Project) => {
    place.current = placeOf(project.id);
    isDeleted.current = false;
    setAsked(project);
    setOpen(true);
  }, []);
  const question = asked && (
    <Suspense>
      <DeleteProjectDialog
        project={asked}
        open={isOpen}
        onClose={(outcome) => {
          isDeleted.current = outcome === "deleted";
          setOpen(false);
          if (isDeleted.current) onDeleted(asked.id);
        }}
        finalFocus={() => {
          if (!place.current) return null;
          return isDeleted.current ? headerNear(place.current) : deleteButtonNear(place.current);
        }}
      />
    </Suspense>
  );
  return { ask, question };
}
