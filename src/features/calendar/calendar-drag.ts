import {
  draggable,
  dropTargetForElements,
  monitorForElements,
} from "@atlaskit/pragmatic-drag-and-drop/element/adapter";
import type { CalendarDay } from "@/lib/format";

/* Dragging entries to other days. Loaded later and only for fine pointers; the entry's menu does the same. */

/** Makes the element draggable, with `data-dragging` while it is dragged. Returns a function that undoes it. */
export function dragEntry(element: HTMLElement, key: string): () => void {
  return draggable({
    element,
    getInitialData: () => ({ entryKey: key }),
    onDragStart: () => element.toggleAttribute("data-dragging", true),
    onDrop: () => element.toggleAttribute("data-dragging", false),
  });
}

/** Makes the element a drop target, with `data-over` while an entry is over it. */
export function dropOnDay(element: HTMLElement, day: CalendarDay): () => void {
  const mark = (isOver: boolean) => () => void element.toggleAttribute("data-over", isOver);
  return dropTargetForElements({
    element,
    canDrop: ({ source }) => "entryKey" in source.data,
    getData: () => ({ day }),
    onDragEnter: mark(true),
    onDragLeave: mark(false),
    onDrop: mark(false),
  });
}

/** Calls `onDrop` when an entry is dropped on a day. */
export function watchDrops(onDrop: (key: string, day: CalendarDay) => void): () => void {
  return monitorForElements({
    canMonitor: ({ source }) => "entryKey" in source.data,
    onDrop: ({ source, location }) => {
      const { entryKey } = source.data;
      const day = location.current.dropTargets[0]?.data.day;
      if (typeof entryKey === "string" && typeof day === "string") onDrop(entryKey, day);
    },
  });
}
