import type { MyTask } from "@server/contract/views";
import { type ReactNode, useId, useRef } from "react";
import type { ToProject } from "@/features/projects/to-project";
import { useRowFocus } from "@/lib/use-row-focus";
import { useToday } from "@/lib/use-today";
import { Skeleton } from "@/ui/skeleton";
import { MyTaskRow, ReadOnlyTaskRow } from "./my-task-row";
import { groupMyTasks, type MyTaskGroup } from "./my-tasks";
import { useDelayedCompletion } from "./use-delayed-completion";
import { useGlide } from "./use-delayed-order";
import { useTicks } from "./use-my-tasks";

/** Above this, rows outside the viewport are neither laid out nor painted. */
const MANY = 60;
/** Sizes without padding and border. */
const SKIPPED =
  "[contain-intrinsic-height:auto_25px] [content-visibility:auto] max-lg:[contain-intrinsic-height:auto_73px]";
const CARD = "overflow-clip rounded-card bg-raised shadow-1";

type MyTaskListProps = {
  tasks: readonly MyTask[];
  link: ToProject;
  /** False for clients. */
  canEdit: boolean;
};

/** Tasks across projects, grouped by due date. A ticked one moves down to "Recently completed". */
export function MyTaskList({ tasks, link, canEdit }: MyTaskListProps) {
  const list = useRef<HTMLDivElement>(null);
  const groups = groupMyTasks(useDelayedCompletion(tasks), useToday());
  const order = groups.map((group) => `${group.name}: ${group.tasks.map(({ id }) => id).join()}`).join();
  useGlide(list, order);
  useRowFocus(list, { rows: order });
  const { refused } = useTicks();
  const present = new Map(tasks.map((task) => [task.id, task]));
  const rowStyle = tasks.length > MANY ? SKIPPED : undefined;
  return (
    <div ref={list} className="grid grid-cols-[minmax(0,1fr)] gap-6">
      {groups.map(({ name, tasks: held }) => (
        <Group key={name} name={name} count={held.length}>
          {held.map(({ id }) => {
            const task = present.get(id);
            if (!task) return null;
            const row = { task, link, className: rowStyle };
            return canEdit ? (
              <MyTaskRow key={id} {...row} refused={refused.get(id)} />
            ) : (
              <ReadOnlyTaskRow key={id} {...row} />
            );
          })}
        </Group>
      ))}
    </div>
  );
}

function Group({ name, count, children }: { name: MyTaskGroup; count: number; children: ReactNode }) {
  const headingId = useId();
  return (
    <section aria-labelledby={headingId}>
      <h2
        id={headingId}
        className="mb-2 flex items-center gap-2 text-reading"
        aria-label={`${name}, ${formatTaskCount(count)}`}
      >
        {name}
        {/* Exact, also above 99, and not in the display font, whose digits differ in width. */}
        <span className="font-medium font-sans text-dense text-ink2 tracking-normal">{count}</span>
      </h2>
      <ul className={CARD}>{children}</ul>
    </section>
  );
}

/** "1 task", "6 tasks". */
function formatTaskCount(count: number): string {
  return `${count} ${count === 1 ? "task" : "tasks"}`;
}

const SKELETON_KEYS = ["first", "second", "third", "fourth", "fifth"];

/** A placeholder for a group. */
export function MyTasksSkeleton() {
  return (
    <div>
      <Skeleton className="mb-2 h-6 w-28" />
      <div className={CARD}>
        {SKELETON_KEYS.map((key) => (
          <div
            key={key}
            className="flex h-[45px] items-center gap-3 border-line border-t px-4 first:border-t-0 max-lg:h-[73px]"
          >
            <Skeleton className="size-5 shrink-0" />
            <Skeleton className="h-4 w-2/5" />
            <Skeleton className="ms-auto h-3.5 w-1/5 max-lg:hidden" />
          </div>
        ))}
      </div>
    </div>
  );
}
