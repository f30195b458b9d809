import { TEMPLATE_MESSAGES } from "@server/contract/messages/templates";
import type { Project } from "@server/contract/views";
import { useId, useState } from "react";
import { clientName } from "@/features/projects/project-people";
import { useDiscardGuard } from "@/features/projects/use-discard-guard";
import { today } from "@/lib/format";
import { Button } from "@/ui/button";
import { Dialog, type FocusTarget } from "@/ui/dialog";
import { CopyForm } from "./copy-form";
import { useDuplicateProject } from "./use-templates";

type DuplicateDialogProps = {
  project: Project;
  open: boolean;
  onClose: () => void;
  /** Closes it, too. */
  onCreated: (project: Project) => void;
  finalFocus?: FocusTarget | undefined;
};

const MAX_TITLE = 150;

/** Asks how the copy of a project is called and when it starts; before what was typed is dropped, it asks. */
export function DuplicateDialog({ project, open, onClose, onCreated, finalFocus }: DuplicateDialogProps) {
  const formId = useId();
  const duplicate = useDuplicateProject();
  const [isDirty, setDirty] = useState(false);
  const guard = useDiscardGuard({ isDirty: open && isDirty, isBusy: open && duplicate.isPending });
  return (
    <Dialog
      open={open}
      onOpenChange={(next) => !next && guard.leave(onClose)}
      title="Duplicate project"
      finalFocus={finalFocus}
      footer={
        <>
          <Button variant="quiet" aria-disabled={duplicate.isPending} onClick={() => guard.leave(onClose)}>
            Cancel
          </Button>
          <Button variant="primary" type="submit" form={formId} busy={duplicate.isPending} busyLabel="Creating...">
            Duplicate
          </Button>
        </>
      }
    >
      <CopyForm
        id={formId}
        initial={{ title: [...`Copy of ${project.title}`].slice(0, MAX_TITLE).join("").trim(), startDate: today() }}
        failed={TEMPLATE_MESSAGES.duplicateFailed}
        onDirtyChange={setDirty}
        onSubmit={async (values) => {
          const { leftOut: _, ...made } = await duplicate.mutateAsync({ projectId: project.id, ...values });
          // What is shown next is no way out.
          setDirty(false);
          onCreated(made);
        }}
      >
        {() => (
          <p className="text-dense text-ink2">
            {TEMPLATE_MESSAGES.copied}
            {project.clientId !== null && (
              <>
                {" "}
                <bdi>{clientName(project)}</bdi> sees the copy at once.
              </>
            )}
          </p>
        )}
      </CopyForm>
      {guard.question}
    </Dialog>
  );
}
