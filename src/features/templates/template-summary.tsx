import { TEMPLATE_MESSAGES } from "@server/contract/messages/templates";
import { dayAfter } from "@server/contract/templates";
import type { ProjectTemplate } from "@server/contract/views";
import { Trash2 } from "lucide-react";
import { useState } from "react";
import { DayFact, Fact, Facts, PeopleFact } from "@/features/projects/project-facts";
import { formatDate } from "@/lib/format";
import { Button } from "@/ui/button";
import { ConfirmDialog } from "@/ui/confirm-dialog";
import { useDeleteTemplate } from "./use-templates";

type TemplateSummaryProps = {
  template: ProjectTemplate;
  /** Of the new project; "" while there is none. */
  startDate: string;
  /** Hands the focus on. */
  onDeleted: () => void;
};

/** What a project of the template begins with. */
export function TemplateSummary({ template, startDate, onDeleted }: TemplateSummaryProps) {
  const { description, dueAfterDays, taskCount, people, leftOut, createdBy, createdAt, canDelete } = template;
  return (
    <section aria-label={`Template ${template.title}`} className="grid gap-4 rounded-card bg-sunken p-4">
      <p dir="auto" className="line-clamp-4 whitespace-pre-line text-ink2 [overflow-wrap:anywhere]">
        {description}
      </p>
      <Facts>
        <Fact label="Tasks">{taskCount}</Fact>
        <DayFact label="Due date" day={dueAfterDays === null ? null : dayAfter(startDate, dueAfterDays)} />
        <PeopleFact label="People" people={people} empty="Only you" />
        {leftOut.length > 0 && <PeopleFact label="Left out (not active)" people={leftOut} empty="" />}
      </Facts>
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <p className="text-ink3 text-meta">
          Saved by <bdi>{createdBy.name}</bdi> on {formatDate(createdAt)}. Days count from the start date.
        </p>
        {canDelete && <DeleteTemplate template={template} onDeleted={onDeleted} />}
      </div>
    </section>
  );
}

function DeleteTemplate({ template, onDeleted }: Omit<TemplateSummaryProps, "startDate">) {
  const remove = useDeleteTemplate();
  const [isAsking, setAsking] = useState(false);
  const confirm = () =>
    remove.mutate({ templateId: template.id }, { onSuccess: onDeleted, onSettled: () => setAsking(false) });
  return (
    <>
      <Button variant="quiet" size="sm" icon={<Trash2 size={16} />} className="-mx-3" onClick={() => setAsking(true)}>
        Delete template
      </Button>
      <ConfirmDialog
        open={isAsking}
        onOpenChange={setAsking}
        title="Delete template"
        question={TEMPLATE_MESSAGES.confirmDelete}
        confirmLabel="Delete"
        busyLabel="Deleting..."
        busy={remove.isPending}
        onConfirm={confirm}
      >
        <p dir="auto" className="font-semibold">
          {template.title}
        </p>
      </ConfirmDialog>
    </>
  );
}
