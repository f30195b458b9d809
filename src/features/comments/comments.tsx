import type { Task } from "@server/contract/views";
import { lazy, type ReactNode, Suspense, useId, useMemo } from "react";
import { useIsDrawing } from "@/lib/drawing";
import type { DiscussionProps } from "./discussion";

const Discussion = lazy(() => import("./discussion").then((module) => ({ default: module.Discussion })));

type TaskCommentsProps = Omit<DiscussionProps, "subject"> & { task: Pick<Task, "id"> };

/** The comments on a task, with the composer at the end. Its code is fetched with the first discussion that is shown. */
export function TaskComments({ task, ...rest }: TaskCommentsProps) {
  const subject = useMemo(() => ({ taskId: task.id }), [task.id]);
  return <LaterDiscussion key={task.id} subject={subject} {...rest} />;
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
      <LaterDiscussion key={projectId} subject={subject} {...rest} />
    </section>
  );
}

/** Not drawn on the server, which has no comments there and does not know the draft: its composer would be another one. */
function LaterDiscussion(props: DiscussionProps) {
  if (useIsDrawing()) return <Space />;
  return (
    <Suspense fallback={<Space />}>
      <Discussion {...props} />
    </Suspense>
  );
}

/** About as high as a short discussion with its composer. */
function Space() {
  return <div className="min-h-40" />;
}
