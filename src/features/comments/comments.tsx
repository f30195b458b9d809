import type { Task } from "@server/contract/views";
import { lazy, type ReactNode, Suspense, useId, useMemo } from "react";
import type { DiscussionProps } from "./discussion";

const Discussion = lazy(() => import("./discussion").then((module) => ({ default: module.Discussion })));

type TaskCommentsProps = Omit<DiscussionProps, "subject"> & { task: Pick<Task, "id"> };

/** The comments on a task, with the composer at the end. Its code is fetched with the first discussion that is shown. */
export function TaskComments({ task, ...rest }: TaskCommentsProps) {
  const subject = useMemo(() => ({ taskId: task.id }), [task.id]);
  return (
    <Suspense fallback={<Space />}>
      <Discussion key={task.id} subject={subject} {...rest} />
    </Suspense>
  );
}

type ProjectCommentsProps = Omit<DiscussionProps, "subject"> & {
  /** As the other headings there; it has to have the id. */
  heading: (id: string) => ReactNode;
  className?: string | undefined;
};

/** The discussion of a project itself, under its own heading. */
export function ProjectComments({ heading, className, ...rest }: ProjectCommentsProps) {
  const headingId = useId();
  const projectId = rest.project.id;
  const subject = useMemo(() => ({ projectId }), [projectId]);
  return (
    <section aria-labelledby={headingId} className={className}>
      {heading(headingId)}
      <Suspense fallback={<Space />}>
        <Discussion key={projectId} subject={subject} {...rest} />
      </Suspense>
    </section>
  );
}

/** About as high as a short discussion with its composer. */
function Space() {
  return <div className="min-h-40" />;
}
