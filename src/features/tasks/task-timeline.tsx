import { useId, useMemo, useState } from "react";
import { TaskComments } from "@/features/comments/comments";
import { describeTaskEvent } from "@/features/projects/describe-event";
import { HistoryLine } from "@/features/projects/project-history";
import { useHistory } from "@/features/projects/use-history";
import { Checkbox } from "@/ui/checkbox";
import type { TaskPart } from "./task-edits";

/** What was said about the task and what happened to it, in one order; or the comments only. */
export function TaskTimeline({ task, project, asClientId }: TaskPart & { asClientId: string | undefined }) {
  const headingId = useId();
  const [isShort, setShort] = useState(false);
  const { items, people, ...pages } = useHistory({ projectId: task.projectId, taskId: task.id, asClientId });
  const entries = useMemo(
    () =>
      (isShort ? [] : (items ?? [])).map((event) => ({
        key: `event-${event.id}`,
        at: event.at,
        content: <HistoryLine event={event} text={describeTaskEvent(event, people)} />,
      })),
    [isShort, items, people],
  );
  return (
    <section aria-labelledby={headingId}>
      <div className="mb-2 flex flex-wrap items-center justify-between gap-x-3">
        <h3 id={headingId} className="font-medium font-sans text-dense text-ink2 tracking-normal">
          Activity
        </h3>
        <Checkbox label="Comments only" checked={isShort} onChange={({ target }) => setShort(target.checked)} />
      </div>
      <TaskComments
        task={task}
        project={project}
        asClientId={asClientId}
        entries={entries}
        earlier={isShort ? undefined : { ...pages, label: "earlier activity" }}
        composerClassName="sticky bottom-0 bg-surface pb-4"
      />
    </section>
  );
}
