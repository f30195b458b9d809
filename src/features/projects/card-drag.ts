import { combine } from "@atlaskit/pragmatic-drag-and-drop/combine";
import {
  draggable,
  dropTargetForElements,
  monitorForElements,
} from "@atlaskit/pragmatic-drag-and-drop/element/adapter";
import { setCustomNativeDragPreview } from "@atlaskit/pragmatic-drag-and-drop/element/set-custom-native-drag-preview";
import type { Project } from "@server/contract/views";
import { BOARD_TABS, type BoardTab } from "./board-names";

/** The dragged card, and the tab under it. */
export interface CardDrag {
  project: Project;
  over: BoardTab | null;
}

type Watch = {
  /** Holds the tabs, in the order of `BOARD_TABS`, and the cards. */
  root: HTMLElement;
  /** The project as it is now. */
  find: (projectId: string) => Project | undefined;
  onChange: (drag: CardDrag | null) => void;
  onDrop: (project: Project, tab: BoardTab) => void;
};

/**
 * Lets a mouse drag the cards of a board onto its tabs. A card becomes draggable when the mouse first enters it, so that it costs
 * nothing before. Cards carry `data-project`. Returns a function that ends the dragging.
 */
export function watchDrags({ root, find, onChange, onDrop }: Watch): () => void {
  const offered = new Map<HTMLElement, () => void>();

  function offer({ target, pointerType }: PointerEvent): void {
    const card = target instanceof Element ? target.closest<HTMLElement>("[data-project]") : null;
    if (!card || pointerType !== "mouse" || offered.has(card) || !projectOf(card)?.canEdit) return;
    for (const [gone, end] of offered) {
      if (gone.isConnected) continue;
      end();
      offered.delete(gone);
    }
    offered.set(card, offerCard(card));
  }

  function projectOf(element: Element): Project | undefined {
    return element instanceof HTMLElement && element.dataset.project ? find(element.dataset.project) : undefined;
  }

  function offerCard(element: HTMLElement): () => void {
    return draggable({
      element,
      canDrag: () => projectOf(element)?.canEdit === true,
      onGenerateDragPreview: ({ nativeSetDragImage }) =>
        setCustomNativeDragPreview({
          nativeSetDragImage,
          getOffset: () => ({ x: 24, y: 20 }),
          render: ({ container }) => container.append(previewOf(projectOf(element)?.title ?? "")),
        }),
      onDragStart: () => element.setAttribute("data-dragged", ""),
      onDrop: () => element.removeAttribute("data-dragged"),
    });
  }

  const targets = [...root.querySelectorAll<HTMLElement>('[role="tab"]')].flatMap((element, at) => {
    const tab = BOARD_TABS[at];
    if (!tab) return [];
    return dropTargetForElements({
      element,
      getData: () => ({ tab }),
      canDrop: ({ source }) => projectOf(source.element)?.status !== tab,
    });
  });

  const monitor = monitorForElements({
    canMonitor: ({ source }) => offered.has(source.element),
    onDragStart({ source }) {
      const project = projectOf(source.element);
      if (project) onChange({ project, over: null });
    },
    onDropTargetChange({ source, location }) {
      const project = projectOf(source.element);
      if (project) onChange({ project, over: tabAt(location.current.dropTargets) });
    },
    onDrop({ source, location }) {
      onChange(null);
      const project = projectOf(source.element);
      const tab = tabAt(location.current.dropTargets);
      if (project && tab) onDrop(project, tab);
    },
  });

  root.addEventListener("pointerover", offer);
  return combine(monitor, ...targets, () => {
    root.removeEventListener("pointerover", offer);
    for (const end of offered.values()) end();
  });
}

function tabAt(targets: readonly { data: Record<string | symbol, unknown> }[]): BoardTab | null {
  return BOARD_TABS.find((tab) => tab === targets[0]?.data.tab) ?? null;
}

/** The drag preview: a small card with the title. */
function previewOf(title: string): HTMLElement {
  const card = document.createElement("div");
  card.className =
    "w-max max-w-72 truncate rounded-card border border-line-strong bg-raised px-4 py-2.5 font-display font-semibold text-ink text-reading";
  card.textContent = title;
  return card;
}
