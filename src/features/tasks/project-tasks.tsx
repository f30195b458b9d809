import { TASK_MESSAGES } from "@server/contract/messages/tasks";
import type { Project } from "@server/contract/views";
import { useId, useRef } from "react";
import { ProgressThread } from "@/ui/progress-thread";
import { TaskAddForm } from "./task-add-form";
import { TaskList } from "./task-list";

type ProjectTasksProps = { project: Project };

/** "Project Tasks" of the project dialog: the form, then the list. Spec 2. */
export function ProjectTasks({ project }: ProjectTasksProps) {
  const headingId = useId();
  const form = useRef<{ titleInput: () => HTMLInputElement | null }>(null);
  const heading = useRef<HTMLHeadingElement>(null);
  const { total, completed } = project.taskCounts;
  return (
    <section
      aria-labelledby={headingId}
      className="-mx-4 mt-6 border-line border-t pt-5 [--row-inset:16px] sm:-mx-6 sm:[--row-inset:24px]"
    >
      <div className="px-(--row-inset)">
        <div className="mb-3 flex items-center gap-3">
          <h3 id={headingId} ref={heading} tabIndex={-1} className="text-reading">
            Project Tasks
          </h3>
          {total > 0 && <ProgressThread done={completed} total={total} className="flex-1" />}
        </div>
        {project.canEdit && <TaskAddForm project={project} ref={form} className="mb-5" />}
      </div>
      <TaskList
        project={project}
        emptyMessage={TASK_MESSAGES.emptyModal}
        afterLast={() => form.current?.titleInput() ?? heading.current}
      />
    </section>
  );
}
