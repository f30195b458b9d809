import { TASK_MESSAGES } from "@server/contract/messages/tasks";
import type { Task } from "@server/contract/views";
import { X } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { useMe } from "@/features/auth/use-auth";
import { useProject } from "@/features/projects/use-projects";
import { useProgressiveCount } from "@/lib/use-progressive-count";
import { codeOf, messageOf } from "@/lib/user-message";
import { Delayed } from "@/ui/delayed";
import { ErrorState } from "@/ui/error-state";
import { Field } from "@/ui/field";
import { IconButton } from "@/ui/icon-button";
import { SidePanel } from "@/ui/side-panel";
import { Skeleton } from "@/ui/skeleton";
import { TextArea } from "@/ui/text-area";
import { useLast } from "@/ui/use-last";
import { unsavedTexts } from "./task-drafts";
import { TASK_PAGE_STEPS, TaskActions, TaskPage } from "./task-page";
import { TaskKeyTitle, TaskPageHead } from "./task-page-head";
import { TaskStatus } from "./task-status";
import { useTaskByKey } from "./use-task-page";

type TaskSheetProps = {
  /** Undefined closes it. */
  taskKey: string | undefined;
  /** The client whose portal an admin views. */
  asClientId: string | undefined;
  onClose: () => void;
  onOpenProject: (projectId: string) => void;
  /** Where the focus goes when it is closed. */
  finalFocus: () => HTMLElement | null;
};

/** A task over whatever page one is on. Design 3.11. */
export function TaskSheet({ taskKey, onClose, finalFocus, ...content }: TaskSheetProps) {
  return (
    <SidePanel
      open={taskKey !== undefined}
      onOpenChange={(open) => !open && onClose()}
      contentKey={taskKey ?? ""}
      finalFocus={finalFocus}
      size="lg"
    >
      {taskKey !== undefined && <Content key={taskKey} taskKey={taskKey} onClose={onClose} {...content} />}
    </SidePanel>
  );
}

const GONE = new Set<unknown>(["NOT_FOUND", "BAD_REQUEST"]);

type ContentProps = Omit<TaskSheetProps, "finalFocus" | "taskKey"> & { taskKey: string };

/** The bar stays while what is below it changes: its title has the focus. */
function Content({ taskKey, asClientId, onClose, onOpenProject }: ContentProps) {
  const query = useTaskByKey(taskKey, { asClientId });
  const projectQuery = useProject(query.data?.projectId, { asClientId });
  // A number that no task can have is a bad request.
  const isGone = [query, projectQuery].some(({ error }) => GONE.has(codeOf(error)));
  const last = useLast(query.data, query.data !== undefined);
  const [task, project] = isGone ? [] : [query.data, projectQuery.data];
  const part = task && project && { task, project, taskKey };
  // The press is answered with the bar and the title; what else there is renders after them.
  const shown = useProgressiveCount(part ? taskKey : "", TASK_PAGE_STEPS, { first: 1, step: 1 });
  const isTitleShown = shown > 1;
  return (
    <>
      <TaskPageHead
        title={<TaskKeyTitle taskKey={taskKey} title={isGone ? "Task not available" : (task?.title ?? "")} />}
        status={part && isTitleShown && <TaskStatus {...part} />}
        actions={
          <>
            {part && isTitleShown && (
              <TaskActions {...part} asClientId={asClientId} onClose={onClose} onOpenProject={onOpenProject} />
            )}
            <IconButton icon={X} label="Close" onClick={onClose} />
          </>
        }
      />
      {part ? (
        <TaskPage {...part} step={shown} asClientId={asClientId} onOpenProject={onOpenProject} />
      ) : isGone ? (
        <Gone task={last} />
      ) : (
        <Coming queries={[query, projectQuery]} />
      )}
    </>
  );
}

type Query = Pick<ReturnType<typeof useTaskByKey>, "error" | "isFetching" | "isLoadingError"> & {
  refetch: () => unknown;
};

/** Loading, or failed with a way to retry. */
function Coming({ queries }: { queries: readonly Query[] }) {
  const failed = queries.find(({ isLoadingError }) => isLoadingError);
  if (failed) {
    return (
      <ErrorState
        message={messageOf(failed.error)}
        busy={failed.isFetching}
        onRetry={() => void failed.refetch()}
        className="m-5"
      />
    );
  }
  return (
    <Delayed pending label="Loading task" skeleton={<TaskSkeleton />}>
      {null}
    </Delayed>
  );
}

/** What was typed and not saved by someone whose task has just gone: to read and copy. */
function Gone({ task }: { task: Task | undefined }) {
  const me = useMe();
  const body = useRef<HTMLDivElement>(null);
  const [texts] = useState(() => (task ? unsavedTexts(me.id, task) : []));
  useEffect(() => {
    // The focused element disappeared with the task.
    if (document.activeElement === document.body) body.current?.focus();
  }, []);
  return (
    <div ref={body} tabIndex={-1} className="p-5 outline-none">
      <h3 className="text-h3">Task not available</h3>
      <p className="mt-2 text-ink2">{TASK_MESSAGES.notFound}</p>
      {texts.length > 0 && (
        <Field label="What you typed is still here" className="mt-4">
          <TextArea readOnly rows={6} dir="auto" value={texts.join("\n\n")} onFocus={({ target }) => target.select()} />
        </Field>
      )}
    </div>
  );
}

const SKELETON_KEYS = ["assignees", "due", "priority", "labels"];

function TaskSkeleton() {
  return (
    <div className="grid gap-6 p-5 sm:grid-cols-[minmax(0,1fr)_220px]">
      <div>
        <Skeleton className="h-6 w-3/4" />
        <Skeleton className="mt-6 h-3.5 w-full" />
        <Skeleton className="mt-2.5 h-3.5 w-5/6" />
        <Skeleton className="mt-2.5 h-3.5 w-2/3" />
        <Skeleton className="mt-8 h-24 w-full" />
      </div>
      <div className="grid content-start gap-5">
        {SKELETON_KEYS.map((key) => (
          <div key={key}>
            <Skeleton className="h-3 w-16" />
            <Skeleton className="mt-2 h-9 w-full" />
          </div>
        ))}
      </div>
    </div>
  );
}
