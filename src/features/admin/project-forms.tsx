import { useLayoutEffect, useRef } from "react";
import { CreateProjectDialog } from "@/features/projects/create-project-dialog";
import { ProjectDialog } from "@/features/projects/project-dialog";
import { headerId } from "../projects/row-focus";

/** What is open over the list: the form of a new project, or that of the named one. */
export type ShownForm = "create" | { edit: string } | null;

type ProjectFormsProps = {
  shown: ShownForm;
  onClose: () => void;
};

/** The forms over "All Projects". They bring the people's comboboxes with them, so they load when somebody comes near. */
export function ProjectForms({ shown, onClose }: ProjectFormsProps) {
  const opener = useOpener(shown !== null);
  const createdId = useRef<string | null>(null);
  /** A new project stands first: its row, where the list's filter lets it in. */
  const created = () => (createdId.current === null ? null : document.getElementById(headerId(createdId.current)));
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
        finalFocus={opener}
      />
      <CreateProjectDialog
        open={shown === "create"}
        finalFocus={() => {
          const row = created();
          createdId.current = null;
          return row ?? opener();
        }}
        onClose={onClose}
        onCreated={({ id }) => {
          createdId.current = id;
          onClose();
        }}
      />
    </>
  );
}

/**
 * What had the focus before a form took it: gets it back, also from a form whose code came after it was asked for. Where it has
 * left meanwhile, the page's heading gets it.
 */
function useOpener(isOpen: boolean): () => HTMLElement | null {
  const opener = useRef<Element | null>(null);
  // A dialog takes the focus only after it has been laid out.
  useLayoutEffect(() => {
    if (isOpen) opener.current = document.activeElement;
  }, [isOpen]);
  return () =>
    opener.current instanceof HTMLElement && opener.current.isConnected
      ? opener.current
      : document.querySelector<HTMLElement>("main h1");
}
