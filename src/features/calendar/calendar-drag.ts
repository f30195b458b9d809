import {
  draggable,
  dropTargetForElements,
  monitorForElements,
} from "@atlaskit/pragmatic-drag-and-drop/element/adapter";
import type { CalendarDay } from "@/lib/format";

/* Dragging entries to other days. Loaded later, for fine pointers only: others have the entry's menu. */

/** Lets the element be dragged; `data-dragging` stands on it meanwhile. Answers with the way to end that. */
export function dragEntry(element: HTMLElement, key: string): () => void {
  return draggable({
    element,
    getInitialData: () => ({ entryKey: key }),
    onDragStart: () => element.toggleAttribute("data-dragging", true),
    onDrop: () => element.toggleAttribute("data-dragging", false),
  });
}

/** Lets entries be dropped on the element; `data-over` stands on it while one is above. */
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

/** Calls back when an entry is dropped on a day. */
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
