import { GENERAL_MESSAGES } from "@server/contract/messages/general";
import { PROJECT_MESSAGES } from "@server/contract/messages/projects";
import type { Project } from "@server/contract/views";
import { useId } from "react";
import { createPortal } from "react-dom";
import { Controller } from "react-hook-form";
import { useMe } from "@/features/auth/use-auth";
import { useAssignable, useClients } from "@/features/users/use-users";
import { Button } from "@/ui/button";
import { Checkbox } from "@/ui/checkbox";
import { EditNotice } from "@/ui/edit-notice";
import { EditReview } from "@/ui/edit-review";
import { InlineAlert } from "@/ui/inline-alert";
import { Steady } from "@/ui/steady";
import { ProjectFields, projectFormGrid } from "./project-fields";
import type { ProjectFormValues } from "./project-form-values";
import { describeField, PROJECT_LABELS } from "./project-labels";
import { mayManage } from "./project-people";
import { useProjectEdit } from "./use-project-edit";
import type { ProjectFormControl } from "./use-project-form";
import type { useUpdateProject } from "./use-projects";

type EditProjectFormProps = {
  formId: string;
  /** The latest known version. Changes by others are announced and do not touch what is typed. */
  project: Project;
  /** The project was deleted, or is no longer visible to this person. */
  isGone: boolean;
  update: ReturnType<typeof useUpdateProject>;
  /** The place beside the save button where someone else's edit is announced. */
  noticeSlot: HTMLElement | null;
  onDirtyChange: (isDirty: boolean) => void;
  onSaved: () => void;
};

/** The edit form. When someone else saved first, both versions are shown to choose from, field by field. */
export function EditProjectForm({ formId, isGone, noticeSlot, ...options }: EditProjectFormProps) {
  const { form, element, conflict, submit, saveMine, loadTheirs } = useProjectEdit(options);
  const { review, news } = conflict;
  const describe = useFieldDescription(options.project);
  const me = useMe();
  const heading = GENERAL_MESSAGES.changedMeanwhile(conflict.first.values.title);
  return (
    <form ref={element} id={formId} noValidate onSubmit={(event) => void submit(event)} className={projectFormGrid}>
      <Steady>
        {isGone && (
          <InlineAlert tone="orange" className="sm:col-span-6">
            {PROJECT_MESSAGES.notFound} {GENERAL_MESSAGES.typedIsKept}
          </InlineAlert>
        )}
        {review && (
          <EditReview
            heading={heading}
            note={GENERAL_MESSAGES.typedIsKept}
            review={review}
            labelOf={labelOf}
            describe={describe}
            onChoose={conflict.choose}
            onLoadTheirs={loadTheirs}
            onSaveMine={saveMine}
            save={
              <Button size="sm" type="submit" busy={options.update.isPending} busyLabel="Saving...">
                Save
              </Button>
            }
            className="sm:col-span-6"
          />
        )}
      </Steady>
      <ProjectFields form={form} project={options.project} />
      {mayManage(me, options.project) && <CollaborationField form={form} />}
      <Steady>
        {news &&
          noticeSlot &&
          createPortal(
            <EditNotice message={heading} fields={news.map(labelOf)} onOpen={() => conflict.open()} />,
            noticeSlot,
          )}
      </Steady>
    </form>
  );
}

/** Whether the client may write in the project: for those who answer for it. */
function CollaborationField({ form }: { form: ProjectFormControl }) {
  const hintId = useId();
  return (
    <Controller
      control={form.control}
      name="clientCollaboration"
      render={({ field: { value, onChange, ...field } }) => (
        <div className="sm:col-span-6">
          <Checkbox
            {...field}
            label={PROJECT_LABELS.clientCollaboration}
            aria-describedby={hintId}
            checked={value === "on"}
            onChange={(event) => onChange(event.target.checked ? "on" : "off")}
          />
          <p id={hintId} className="text-ink3 text-meta">
            {PROJECT_MESSAGES.collaborationHint}
          </p>
        </div>
      )}
    />
  );
}

function labelOf(field: keyof ProjectFormValues): string {
  return PROJECT_LABELS[field];
}

/** Describes field values, with the names of everyone known to this page. */
function useFieldDescription(project: Project): (field: keyof ProjectFormValues, values: ProjectFormValues) => string {
  const people = [...project.people, ...(useAssignable().data ?? [])];
  const clients = [...(project.client ? [project.client] : []), ...(useClients().data ?? [])];
  return (field, values) => describeField(field, values, { people, clients });
}
