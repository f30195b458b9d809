import type { Task } from "@server/contract/views";
import { type RefObject, useEffect, useEffectEvent, useLayoutEffect, useRef, useState } from "react";
import { useAfterPress } from "@/lib/use-after-press";
import { announce } from "@/ui/announce";
import { sortTasks } from "./task-cache";

const DELAY_MS = 400;
const MOVE_MS = 240;

type ListedTask = { id: string; completed: boolean };
/** Rows' `offsetTop` by id. */
type Tops = ReadonlyMap<string, number>;

/**
 * Tasks in order, open ones first. A task just ticked keeps its place for 400 ms, so that it does not slip away under the
 * pointer, and never while the pointer is pressed; `beforeMove` is called just before it moves, and the move announced. Added, deleted and moved tasks are placed at once.
 */
export function useDelayedOrder(tasks: readonly Task[], beforeMove: () => void): Task[] {
  const sorted = sortTasks(tasks);
  const [listed, setListed] = useState<ListedTask[]>(() => sorted.map(toListed));
  const goal = sorted.map(({ id }) => id).join();
  const completedAt = new Map(listed.map(({ id, completed }) => [id, completed]));
  const isSameSet = listed.length === sorted.length && sorted.every(({ id }) => completedAt.has(id));
  const isTicked = sorted.some(({ id, completed }) => completedAt.get(id) === !completed);
  // Added, deleted and moved tasks are placed at once.
  const isAtOnce = !isSameSet || (!isTicked && listed.map(({ id }) => id).join() !== goal);
  if (isAtOnce) setListed(sorted.map(toListed));

  useMoveTimer(!isTicked && !isAtOnce, goal, () => {
    for (const task of sorted) announceMove(task, completedAt.get(task.id));
    beforeMove();
    setListed(sorted.map(toListed));
  });

  if (isAtOnce) return sorted;
  const byId = new Map(sorted.map((task) => [task.id, task]));
  return listed.flatMap(({ id }) => byId.get(id) ?? []);
}

/** Calls `move` 400 ms after the last change of `goal`, and not while the pointer is pressed. */
export function useMoveTimer(isUpToDate: boolean, goal: string, move: () => void): void {
  const afterPress = useAfterPress();
  const latest = useEffectEvent(move);
  useEffect(() => {
    if (isUpToDate) return undefined;
    let cancel = (): void => {};
    // Another tick changes the goal and restarts the delay.
    const timer = setTimeout(
      () => {
        cancel = afterPress(() => latest());
      },
      goal === "" ? 0 : DELAY_MS,
    );
    return () => {
      clearTimeout(timer);
      cancel();
    };
  }, [isUpToDate, goal, afterPress]);
}

/**
 * Animates the visible rows from their old to their new positions when their order changes, so that nothing jumps. Rows carry
 * `data-row`. A long list is measured only by the returned function, to be called before a change: measuring after every render
 * would lay out all rows before a tick is painted.
 */
export function useGlide(list: RefObject<HTMLElement | null>, order: string, isLong = false): () => void {
  const tops = useRef<Tops>(new Map());
  const lastOrder = useRef(order);
  useLayoutEffect(() => {
    const before = tops.current;
    const now = isLong && before.size === 0 ? before : topsOf(list.current);
    if (list.current && lastOrder.current !== order) glide(list.current, before, now);
    lastOrder.current = order;
    tops.current = isLong ? new Map() : now;
  });
  return () => {
    tops.current = topsOf(list.current);
  };
}

function glide(list: HTMLElement, before: Tops, now: Tops): void {
  if (matchMedia("(prefers-reduced-motion: reduce)").matches) return;
  const origin = list.getBoundingClientRect().top - list.offsetTop;
  const isVisible = (top: number, row: HTMLElement) =>
    origin + top < window.innerHeight && origin + top + row.offsetHeight > 0;
  const moves = rowsOf(list).flatMap((row) => {
    const [from, to] = [before.get(idOf(row)), now.get(idOf(row))];
    if (from === undefined || to === undefined || from === to) return [];
    return isVisible(from, row) || isVisible(to, row) ? [{ row, by: from - to }] : [];
  });
  for (const { row, by } of moves) {
    row.animate([{ translate: `0 ${by}px` }, { translate: "0 0" }], {
      duration: MOVE_MS,
      easing: "cubic-bezier(.22,1,.36,1)",
    });
  }
}

function rowsOf(list: HTMLElement | null): HTMLElement[] {
  return [...(list?.querySelectorAll<HTMLElement>("[data-row]") ?? [])];
}

function idOf({ dataset }: HTMLElement): string {
  return dataset.row ?? "";
}

function topsOf(list: HTMLElement | null): Tops {
  return new Map(rowsOf(list).map((row) => [idOf(row), row.offsetTop]));
}

function toListed({ id, completed }: Task): ListedTask {
  return { id, completed };
}

function announceMove({ title, completed }: Task, before: boolean | undefined): void {
  if (before === undefined || before === completed) return;
  announce(completed ? `${title}: moved to the completed tasks` : `${title}: moved to the open tasks`);
}
