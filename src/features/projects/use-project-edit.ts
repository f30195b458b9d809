import { PROJECT_MESSAGES } from "@server/contract/messages/projects";
import type { EditedProject, ProjectForm } from "@server/contract/projects";
import type { Project } from "@server/contract/views";
import { useEffect, useState } from "react";
import { useFormState } from "react-hook-form";
import { useMe } from "@/features/auth/use-auth";
import { readDraft, writeDraft } from "@/lib/session-draft";
import { changedFields, typedSince } from "@/lib/three-way-merge";
import { useEditConflict } from "@/lib/use-edit-conflict";
import { useSubmitOnce } from "@/lib/use-submit-once";
import { messageOf, reasonOf } from "@/lib/user-message";
import { announce } from "@/ui/announce";
import { toast } from "@/ui/toast";
import { editionOf, type ProjectEdition, parseProjectEdit, projectEditKey } from "./project-drafts";
import { PROJECT_FORM_FIELDS, type ProjectFormValues, patchOf, typedValues } from "./project-form-values";
import { showFieldErrors, useProjectForm } from "./use-project-form";
import { useReloadProject, type useUpdateProject } from "./use-projects";
import { useTitleFocus } from "./use-title-focus";

type ProjectEditOptions = {
  /** The latest known version. */
  project: Project;
  update: ReturnType<typeof useUpdateProject>;
  onDirtyChange: (isDirty: boolean) => void;
  onSaved: () => void;
};

/** The one form that writes this draft. */
const WRITER = {};

/**
 * An edit of a project. It sends only the changed fields and the version it is based on: when someone else saved first, the save
 * is refused and both versions are shown. Unsaved input survives a reload.
 */
export function useProjectEdit({ project, update, onDirtyChange, onSaved }: ProjectEditOptions) {
  const draftKey = projectEditKey(useMe().id, project.id);
  const [begun] = useState(() => readDraft(draftKey, parseProjectEdit) ?? untouched(project));
  const form = useProjectForm(begun.base.values);
  const { isDirty } = useFormState({ control: form.control });
  const reload = useReloadProject();
  const { element, focusTitle } = useTitleFocus();
  const { getValues, reset, subscribe } = form;
  const read = () => typedValues(getValues());
  function fill(values: ProjectFormValues, base: ProjectFormValues): void {
    reset(base);
    reset(values, { keepDefaultValues: true });
  }
  const conflict = useEditConflict<ProjectEdition, ProjectFormValues>({
    fields: PROJECT_FORM_FIELDS,
    valuesOf,
    begun: begun.base,
    live: editionOf(project),
    isSaving: update.isPending,
    form: {
      read,
      fill,
    },
  });
  const { base } = conflict;

  useEffect(() => reset(begun.typed, { keepDefaultValues: true }), [begun, reset]);
  useEffect(() => {
    function keep(form: ProjectForm): void {
      const typed = typedValues(form);
      const isUntouched = changedFields(PROJECT_FORM_FIELDS, base.values, typed).length === 0;
      writeDraft(draftKey, isUntouched ? null : { base, typed }, WRITER);
    }
    keep(getValues());
    return subscribe({ formState: { values: true }, callback: ({ values }) => keep(values) });
  }, [draftKey, base, getValues, subscribe]);
  useEffect(focusTitle, [focusTitle]);
  useEffect(() => {
    onDirtyChange(isDirty);
    return () => onDirtyChange(false);
  }, [isDirty, onDirtyChange]);

  async function save(fields: EditedProject, from: ProjectEdition, sent = read()): Promise<void> {
    try {
      const patch = patchOf(from.values, fields);
      const saved = await update.mutateAsync({ projectId: project.id, version: from.version, patch });
      const base = editionOf(saved);
      const typed = typedSince(PROJECT_FORM_FIELDS, { sent, mine: read(), saved: base.values });
      conflict.adopt(base);
      writeDraft(draftKey, typed && { base, typed }, WRITER);
      toast.success(PROJECT_MESSAGES.updated);
      if (typed) fill(typed, base.values);
      else onSaved();
    } catch (error) {
      const present = reasonOf(error) === "stale-version" ? await reload(project.id).catch(() => null) : null;
      if (present && present.version > from.version) {
        const theirs = editionOf(present);
        const { taken, conflicts } = conflict.open(theirs);
        // Nothing shown in the form has changed.
        if (taken.length + conflicts.length === 0) await save(fields, theirs, sent);
        return;
      }
      showFieldErrors(form, error);
      toast.error(PROJECT_MESSAGES.updateFailed, { description: messageOf(error) });
    }
  }
  const submit = useSubmitOnce(form.handleSubmit((fields) => save(fields, base)));
  return {
    form,
    element,
    conflict,
    submit,
    saveMine() {
      conflict.insist();
      void submit();
    },
    loadTheirs() {
      reset(conflict.live.values);
      conflict.adopt(conflict.live);
      focusTitle();
      announce("The form now shows their version");
    },
  };
}

function untouched(project: Project) {
  const base = editionOf(project);
  return { base, typed: base.values };
}

function valuesOf({ values }: ProjectEdition): ProjectFormValues {
  return values;
}
