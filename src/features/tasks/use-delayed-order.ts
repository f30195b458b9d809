import type { Task } from "@server/contract/views";
import { type RefObject, useEffect, useEffectEvent, useLayoutEffect, useRef, useState } from "react";
import { announce } from "@/ui/announce";
import { sortTasks } from "./task-cache";

const DELAY_MS = 400;
const MOVE_MS = 240;

type ListedTask = { id: string; completed: boolean };

/**
 * Tasks in order, open ones first. A task just ticked keeps its place for 400 ms, so that it does not slip away under the
 * pointer. Added, deleted and moved tasks are placed at once. A tick's move is announced.
 */
export function useDelayedOrder(tasks: readonly Task[]): Task[] {
  const sorted = sortTasks(tasks);
  const [listed, setListed] = useState<ListedTask[]>(() => sorted.map(toListed));
  const goal = sorted.map(({ id }) => id).join();
  const completedAt = new Map(listed.map(({ id, completed }) => [id, completed]));
  const isSameSet = listed.length === sorted.length && sorted.every(({ id }) => completedAt.has(id));
  const isTicked = sorted.some(({ id, completed }) => completedAt.get(id) === !completed);
  // Added, deleted and moved tasks are placed at once.
  const isAtOnce = !isSameSet || (!isTicked && listed.map(({ id }) => id).join() !== goal);
  if (isAtOnce) setListed(sorted.map(toListed));

  const update = useEffectEvent(() => {
    for (const task of sorted) announceMove(task, completedAt.get(task.id));
    setListed(sorted.map(toListed));
  });
  const isUpToDate = !isTicked && !isAtOnce;
  useEffect(() => {
    if (isUpToDate) return undefined;
    // Another tick changes the goal and restarts the delay.
    const timer = setTimeout(() => update(), goal === "" ? 0 : DELAY_MS);
    return () => clearTimeout(timer);
  }, [isUpToDate, goal]);

  if (isAtOnce) return sorted;
  const byId = new Map(sorted.map((task) => [task.id, task]));
  return listed.flatMap(({ id }) => byId.get(id) ?? []);
}

/**
 * Animates rows from their old to their new positions when their order changes. Rows carry `data-row`. A long list (`isOff`) is
 * not animated: measuring the old positions would lay out all rows on every render.
 */
export function useGlide(list: RefObject<HTMLElement | null>, order: string, isOff = false): void {
  const tops = useRef(new Map<string, number>());
  const lastOrder = useRef(order);
  useLayoutEffect(() => {
    if (isOff) return;
    const isReordered = lastOrder.current !== order;
    const isStill = window.matchMedia("(prefers-reduced-motion: reduce)").matches;
    const next = new Map<string, number>();
    for (const row of list.current?.querySelectorAll<HTMLElement>("[data-row]") ?? []) {
      const id = row.dataset.row ?? "";
      const before = tops.current.get(id);
      next.set(id, row.offsetTop);
      if (!isReordered || isStill || before === undefined || before === row.offsetTop) continue;
      row.animate([{ translate: `0 ${before - row.offsetTop}px` }, { translate: "0 0" }], {
        duration: MOVE_MS,
        easing: "cubic-bezier(.22,1,.36,1)",
      });
    }
    tops.current = next;
    lastOrder.current = order;
  });
}

function toListed({ id, completed }: Task): ListedTask {
  return { id, completed };
}

function announceMove({ title, completed }: Task, before: boolean | undefined): void {
  if (before === undefined || before === completed) return;
  announce(completed ? `${title}: moved to the completed tasks` : `${title}: moved to the open tasks`);
}
