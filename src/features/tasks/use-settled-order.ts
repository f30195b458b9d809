import type { Task } from "@server/contract/views";
import { type RefObject, useEffect, useLayoutEffect, useRef, useState } from "react";
import { announce } from "@/ui/announce";
import { sortTasks } from "./task-cache";

const SETTLE_MS = 400;
const MOVE_MS = 240;

type Place = { id: string; completed: boolean };

/**
 * Tasks in their order, open ones first; but one that has just been ticked keeps its place for 400 ms, so that it does not
 * slip away under the pointer. Who comes, goes or is moved by hand is placed at once. A tick's move is announced.
 */
export function useSettledOrder(tasks: readonly Task[]): Task[] {
  const sorted = sortTasks(tasks);
  const [places, setPlaces] = useState<Place[]>(() => sorted.map(placeOf));
  const goal = sorted.map(({ id }) => id).join();
  const completedAt = new Map(places.map(({ id, completed }) => [id, completed]));
  const isSameSet = places.length === sorted.length && sorted.every(({ id }) => completedAt.has(id));
  const isTicked = sorted.some(({ id, completed }) => completedAt.get(id) === !completed);
  // Who comes, goes or is moved is placed at once.
  const isAtOnce = !isSameSet || (!isTicked && places.map(({ id }) => id).join() !== goal);
  if (isAtOnce) setPlaces(sorted.map(placeOf));

  const latest = useRef(sorted);
  useEffect(() => {
    latest.current = sorted;
  });
  const isSettled = !isTicked && !isAtOnce;
  useEffect(() => {
    if (isSettled) return undefined;
    // A further tick within the 400 ms changes the goal, and starts them anew.
    const timer = setTimeout(
      () => {
        setPlaces((before) => {
          for (const task of latest.current) sayMove(task, before);
          return latest.current.map(placeOf);
        });
      },
      goal === "" ? 0 : SETTLE_MS,
    );
    return () => clearTimeout(timer);
  }, [isSettled, goal]);

  if (isAtOnce) return sorted;
  const byId = new Map(sorted.map((task) => [task.id, task]));
  return places.flatMap(({ id }) => byId.get(id) ?? []);
}

/**
 * Lets rows glide from where they stood to where they stand, when their order changes. Rows carry `data-row`. A long list
 * (`isOff`) jumps instead: to know where its rows stood, each drawing would have to lay all of them out.
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

function placeOf({ id, completed }: Task): Place {
  return { id, completed };
}

function sayMove(task: Task, places: readonly Place[]): void {
  const before = places.find(({ id }) => id === task.id);
  if (!before || before.completed === task.completed) return;
  announce(task.completed ? `${task.title}: moved to the completed tasks` : `${task.title}: moved to the open tasks`);
}
