import type { Project } from "@server/contract/views";
import { type RefObject, useEffect, useEffectEvent, useState } from "react";
import { useMedia } from "@/lib/use-media";
import type { BoardTab } from "./board-names";
import type { CardDrag } from "./card-drag";

type Board = { projects: readonly Project[] | undefined; onDrop: (project: Project, tab: BoardTab) => void };

/**
 * Dragging cards onto tabs, where the first pointer is fine: its code is fetched there only, once the board stands.
 * Everything it does the card's menu does too. WCAG 2.5.7, design 3.3.
 */
export function useCardDrag(root: RefObject<HTMLElement | null>, board: Board): CardDrag | null {
  const [drag, setDrag] = useState<CardDrag | null>(null);
  const isFine = useMedia("(pointer: fine)");
  const isOffered = isFine && board.projects?.some(({ canEdit }) => canEdit) === true;
  const find = useEffectEvent((id: string) => board.projects?.find((project) => project.id === id));
  const drop = useEffectEvent(board.onDrop);
  useEffect(() => {
    if (!isOffered) return undefined;
    let isOver = false;
    let end = () => {};
    import("./card-drag").then(
      ({ watchDrags }) => {
        if (isOver || !root.current) return;
        end = watchDrags({
          root: root.current,
          find: (id) => find(id),
          onChange: setDrag,
          onDrop: (project, tab) => drop(project, tab),
        });
      },
      // Without it the menu moves cards as well.
      () => undefined,
    );
    return () => {
      isOver = true;
      end();
      setDrag(null);
    };
  }, [isOffered, root]);
  return drag;
}
