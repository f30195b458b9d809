import type { Project } from "@server/contract/views";
import { type RefObject, useEffect, useEffectEvent, useState } from "react";
import { useMedia } from "@/lib/use-media";
import type { BoardTab } from "./board-names";
import type { CardDrag } from "./card-drag";

type Board = { projects: readonly Project[] | undefined; onDrop: (project: Project, tab: BoardTab) => void };

/**
 * Dragging cards onto tabs, for devices whose primary pointer is fine: only they fetch the code, after the board is shown. The
 * card's menu does the same. WCAG 2.5.7, design 3.3.
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
      // Without the code the card's menu still moves cards.
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
