import { MESSAGES } from "@server/contract/messages";
import type { ProjectFields as Fields } from "@server/contract/projects";
import type { Project } from "@server/contract/views";
import { useEffect, useState } from "react";
import { useFormState } from "react-hook-form";
import { codeOf, messageOf } from "@/lib/user-message";
import { Button } from "@/ui/button";
import { InlineAlert } from "@/ui/inline-alert";
import { toast } from "@/ui/toast";
import { ProjectFields, projectFormGrid } from "./project-fields";
import { formOf, patchOf } from "./project-form-values";
import { showFieldErrors, useProjectForm } from "./use-project-form";
import { useReloadProject, type useUpdateProject } from "./use-projects";

type EditProjectFormProps = {
  formId: string;
  /** As it was when the edit began; later changes of others do not touch what is typed. */
  project: Project;
  update: ReturnType<typeof useUpdateProject>;
  onDirtyChange: (isDirty: boolean) => void;
  onSaved: () => void;
};

/**
 * The edit form. It sends only what was changed, and the version it began with: when somebody else was faster, what is
 * typed stays, and the person chooses between the other version and saving the own changes over it.
 */
export function EditProjectForm({ formId, project, update, onDirtyChange, onSaved }: EditProjectFormProps) {
  const [base, setBase] = useState(project);
  const [theirs, setTheirs] = useState<Project | null>(null);
  const form = useProjectForm(formOf(base));
  const { isDirty } = useFormState({ control: form.control });
  const reload = useReloadProject();

  const { setFocus } = form;
  useEffect(() => setFocus("title"), [setFocus]);
  useEffect(() => {
    onDirtyChange(isDirty);
    return () => onDirtyChange(false);
  }, [isDirty, onDirtyChange]);

  async function save(fields: Fields, version: number): Promise<void> {
    if (update.isPending) return;
    try {
      await update.mutateAsync({ projectId: base.id, version, patch: patchOf(base, fields) });
      toast.success(MESSAGES.projects.updated);
      onSaved();
    } catch (error) {
      const present = codeOf(error) === "CONFLICT" ? await reload(base.id).catch(() => null) : null;
      setTheirs(present);
      if (present) return;
      showFieldErrors(form, error);
      toast.error(MESSAGES.projects.updateFailed, { description: messageOf(error) });
    }
  }
  function loadTheirs(present: Project): void {
    setBase(present);
    form.reset(formOf(present));
    setTheirs(null);
    setFocus("title");
  }
  return (
    <form
      id={formId}
      noValidate
      onSubmit={(event) => void form.handleSubmit((fields) => save(fields, base.version))(event)}
      className={projectFormGrid}
    >
      {theirs && (
        <div ref={bringIntoView} className="sm:col-span-6">
          <InlineAlert tone="orange">
            <p>{MESSAGES.projects.stale} What you typed is still here.</p>
            <div className="mt-2.5 flex flex-wrap gap-2">
              <Button size="sm" onClick={() => loadTheirs(theirs)}>
                Load their version
              </Button>
              <Button size="sm" onClick={() => void form.handleSubmit((fields) => save(fields, theirs.version))()}>
                Save mine over it
              </Button>
            </div>
          </InlineAlert>
        </div>
      )}
      <ProjectFields form={form} project={base} />
    </form>
  );
}

/** The footer's button is far from the top of the form, where the choice stands. */
function bringIntoView(element: HTMLElement | null): void {
  element?.scrollIntoView({ block: "nearest" });
}
