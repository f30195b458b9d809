import { PROJECT_MESSAGES } from "@server/contract/messages/projects";
import type { Project, ProjectTemplate } from "@server/contract/views";
import { useEffect, useId, useMemo, useRef, useState } from "react";
import { flushSync } from "react-dom";
import { useFormState } from "react-hook-form";
import { useMe } from "@/features/auth/use-auth";
import { CopyForm } from "@/features/templates/copy-form";
import { TemplateField } from "@/features/templates/template-field";
import { TemplateSummary } from "@/features/templates/template-summary";
import { useCreateFromTemplate } from "@/features/templates/use-templates";
import { today } from "@/lib/format";
import { readDraft, writeDraft } from "@/lib/session-draft";
import { useSubmitOnce } from "@/lib/use-submit-once";
import { messageOf } from "@/lib/user-message";
import { announce } from "@/ui/announce";
import { Button } from "@/ui/button";
import { Dialog, type FocusTarget } from "@/ui/dialog";
import { toast } from "@/ui/toast";
import { parseProjectDraft, projectDraftKey } from "./project-drafts";
import { ProjectFields, projectFormGrid } from "./project-fields";
import { blankForm } from "./project-form-values";
import { useDiscardGuard } from "./use-discard-guard";
import { showFieldErrors, useProjectForm } from "./use-project-form";
import { useCreateProject } from "./use-projects";

type CreateProjectDialogProps = {
  open: boolean;
  onClose: () => void;
  onCreated: (project: Project) => void;
  finalFocus?: FocusTarget | undefined;
};

/** Identifies this form as the writer of the draft. */
const WRITER = {};

/** "Create New Project". Input survives a failure and an ended session, without a template a reload as well; only Discard drops it. */
export function CreateProjectDialog({ open, onClose, onCreated, finalFocus }: CreateProjectDialogProps) {
  const me = useMe();
  const formId = useId();
  const templateField = useRef<HTMLSelectElement>(null);
  const create = useCreateProject();
  const createOf = useCreateFromTemplate();
  const [chosen, setTemplate] = useState<ProjectTemplate | null>(null);
  const template = open ? chosen : null;
  const [isDirty, setDirty] = useState(false);
  const isBusy = create.isPending || createOf.isPending;
  const guard = useDiscardGuard({
    isDirty: open && isDirty,
    isBusy: open && isBusy,
    onDiscard() {
      // The draft is the form's without a template.
      if (!template) writeDraft(projectDraftKey(me.id), null, WRITER);
    },
  });
  function close(): void {
    setTemplate(null);
    onClose();
  }
  function dropTemplate(): void {
    flushSync(() => setTemplate(null));
    templateField.current?.focus();
  }
  function showCreated(project: Project): void {
    setTemplate(null);
    onCreated(project);
  }
  return (
    <Dialog
      open={open}
      onOpenChange={(next) => !next && guard.leave(close)}
      title="Create New Project"
      initialFocus={() => document.getElementById(formId)?.querySelector("input") ?? null}
      finalFocus={finalFocus}
      footer={
        <>
          <Button variant="quiet" aria-disabled={isBusy} onClick={() => guard.leave(close)}>
            Cancel
          </Button>
          <Button variant="primary" type="submit" form={formId} busy={isBusy} busyLabel="Creating...">
            Create Project
          </Button>
        </>
      }
    >
      <TemplateField ref={templateField} chosen={template} onChoose={setTemplate} />
      {template ? (
        <CopyForm
          key={template.id}
          id={formId}
          initial={{ title: template.title, startDate: today() }}
          failed={PROJECT_MESSAGES.createFailed}
          onDirtyChange={setDirty}
          onSubmit={async (values) => {
            const { leftOut: _, ...made } = await createOf.mutateAsync({ templateId: template.id, ...values });
            showCreated(made);
          }}
        >
          {(startDate) => <TemplateSummary template={template} startDate={startDate} onDeleted={dropTemplate} />}
        </CopyForm>
      ) : (
        <CreateForm formId={formId} create={create} onDirtyChange={setDirty} onCreated={showCreated} />
      )}
      {guard.question}
    </Dialog>
  );
}

type CreateFormProps = Pick<CreateProjectDialogProps, "onCreated"> & {
  formId: string;
  create: ReturnType<typeof useCreateProject>;
  onDirtyChange: (isDirty: boolean) => void;
};

function CreateForm({ formId, create, onDirtyChange, onCreated }: CreateFormProps) {
  const me = useMe();
  const blank = useMemo(blankForm, []);
  const form = useProjectForm(blank);
  const { isDirty } = useFormState({ control: form.control });
  const { reset, subscribe, handleSubmit } = form;
  const fixed = useMemo(
    () => [{ value: me.id, label: `${me.displayName} (you)`, avatar: me.profileImgLink }],
    [me.id, me.displayName, me.profileImgLink],
  );

  const draftKey = projectDraftKey(me.id);
  useEffect(() => {
    const draft = readDraft(draftKey, parseProjectDraft);
    if (draft) reset(draft, { keepDefaultValues: true });
    return subscribe({ formState: { values: true }, callback: ({ values }) => writeDraft(draftKey, values, WRITER) });
  }, [draftKey, reset, subscribe]);
  useEffect(() => {
    onDirtyChange(isDirty);
    return () => onDirtyChange(false);
  }, [isDirty, onDirtyChange]);

  const send = handleSubmit(async ({ clientCollaboration: _, ...fields }) => {
    try {
      const project = await create.mutateAsync({ ...fields, assignedTo: [me.id, ...fields.assignedTo] });
      writeDraft(draftKey, null, WRITER);
      announce(PROJECT_MESSAGES.created);
      onCreated(project);
    } catch (error) {
      showFieldErrors(form, error);
      toast.error(PROJECT_MESSAGES.createFailed, { description: messageOf(error) });
    }
  });
  const save = useSubmitOnce(send);
  return (
    <form id={formId} noValidate onSubmit={(event) => void save(event)} className={projectFormGrid}>
      <ProjectFields form={form} fixed={fixed} />
    </form>
  );
}
