import { type RefObject, useEffect, useEffectEvent, useState } from "react";
import { useMedia } from "@/lib/use-media";
import type { DragListener, DropTarget } from "./task-drag";

type DragModule = typeof import("./task-drag");

type TaskDragOptions = {
  list: RefObject<HTMLElement | null>;
  /** Changes whenever other rows, or other handles, stand in the list. */
  rowsKey: string;
  onDrop: DragListener["onDrop"];
};

/** Drag and drop of rows, where there is a mouse: `isReady` once its code is there; until then no handle is shown. */
export function useTaskDrag({ list, rowsKey, onDrop }: TaskDragOptions) {
  const hasMouse = useMedia("(pointer: fine)");
  const [module, setModule] = useState<DragModule | null>(null);
  const [draggedId, setDragged] = useState<string | null>(null);
  const [target, setTarget] = useState<DropTarget | null>(null);
  const drop = useEffectEvent(onDrop);
  useEffect(() => {
    if (!hasMouse) return undefined;
    let isWanted = true;
    // Without it the menu and the keys still move rows.
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
