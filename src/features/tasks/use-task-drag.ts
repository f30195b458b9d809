import { type RefObject, useEffect, useEffectEvent, useState } from "react";
import { useMedia } from "@/lib/use-media";
import type { DragListener, DropTarget } from "./task-drag";

type DragModule = typeof import("./task-drag");

type TaskDragOptions = {
  list: RefObject<HTMLElement | null>;
  /** Changes whenever the rows or their handles change. */
  rowsKey: string;
  onDrop: DragListener["onDrop"];
};

/** Drag and drop of rows for a mouse. `isReady` once the code is loaded; until then no handle is shown. */
export function useTaskDrag({ list, rowsKey, onDrop }: TaskDragOptions) {
  const hasMouse = useMedia("(pointer: fine)");
  const [module, setModule] = useState<DragModule | null>(null);
  const [draggedId, setDragged] = useState<string | null>(null);
  const [target, setTarget] = useState<DropTarget | null>(null);
  const drop = useEffectEvent(onDrop);
  useEffect(() => {
    if (!hasMouse) return undefined;
    let isWanted = true;
    // Without the code the menu and the keyboard still move rows.
    import("./task-drag").then((loaded) => isWanted && setModule(loaded)).catch(() => undefined);
    return () => {
      isWanted = false;
    };
  }, [hasMouse]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the rows of the document change with their key.
  useEffect(() => {
    if (!module || !hasMouse || !list.current) return undefined;
    return module.makeDraggable(list.current, {
      onDrag: setDragged,
      // The same target again keeps the same object.
      onOver: (next) =>
        setTarget((known) => (known?.besideId === next?.besideId && known?.where === next?.where ? known : next)),
      onDrop: (where) => drop(where),
    });
  }, [module, hasMouse, list, rowsKey]);
  return { isReady: hasMouse && module !== null, draggedId, target };
}
