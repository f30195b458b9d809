import { combine } from "@atlaskit/pragmatic-drag-and-drop/combine";
import {
  draggable,
  dropTargetForElements,
  monitorForElements,
} from "@atlaskit/pragmatic-drag-and-drop/element/adapter";
import { attachInstruction } from "@atlaskit/pragmatic-drag-and-drop-hitbox/list-item/attach-instruction";
import { extractInstruction } from "@atlaskit/pragmatic-drag-and-drop-hitbox/list-item/extract-instruction";

/** Where a dragged row would be dropped. */
export interface DropTarget {
  besideId: string;
  where: "before" | "after";
}

/** Callbacks of a drag; null when it has ended. */
export interface DragListener {
  onDrag: (rowId: string | null) => void;
  onOver: (target: DropTarget | null) => void;
  onDrop: (drop: DropTarget & { rowId: string }) => void;
}

/**
 * Makes the rows of a list draggable by their handles, each within its group: elements with `data-row` (an id) and `data-group`
 * that contain one with `data-handle`. Returns a function that undoes it. 7 kB, fetched only where there is a mouse.
 */
export function makeDraggable(list: HTMLElement, { onDrag, onOver, onDrop }: DragListener): () => void {
  const rows = [...list.querySelectorAll<HTMLElement>("[data-row]")];
  return combine(
    ...rows.map((row) => makeRowDraggable(row, list)),
    monitorForElements({
      canMonitor: ({ source }) => source.data.list === list,
      onDragStart: ({ source }) => onDrag(String(source.data.id)),
      onDrag: ({ location }) => onOver(dropTargetOf(location.current.dropTargets)),
      onDropTargetChange: ({ location }) => onOver(dropTargetOf(location.current.dropTargets)),
      onDrop({ source, location }) {
        const target = dropTargetOf(location.current.dropTargets);
        onDrag(null);
        onOver(null);
        if (target) onDrop({ ...target, rowId: String(source.data.id) });
      },
    }),
  );
}

function makeRowDraggable(row: HTMLElement, list: HTMLElement): () => void {
  const { row: id, group } = row.dataset;
  const handle = row.querySelector("[data-handle]");
  return combine(
    handle ? draggable({ element: row, dragHandle: handle, getInitialData: () => ({ list, id, group }) }) : () => {},
    dropTargetForElements({
      element: row,
      canDrop: ({ source }) => source.data.list === list && source.data.group === group && source.data.id !== id,
      getData: ({ input, element }) =>
        attachInstruction(
          { id },
          { input, element, operations: { "reorder-before": "available", "reorder-after": "available" } },
        ),
    }),
  );
}

function dropTargetOf(targets: readonly { data: Record<string | symbol, unknown> }[]): DropTarget | null {
  const [target] = targets;
  const instruction = target && extractInstruction(target.data);
  if (!instruction) return null;
  return { besideId: String(target.data.id), where: instruction.operation === "reorder-before" ? "before" : "after" };
}
