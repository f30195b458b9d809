import type { Project } from "@server/contract/views";
import { defaultRangeExtractor, useWindowVirtualizer } from "@tanstack/react-virtual";
import { type ReactNode, type RefObject, useLayoutEffect, useRef, useState } from "react";

type VirtualGridProps = {
  projects: readonly Project[];
  selectedId: string | undefined;
  freshId: string | null;
  card: (project: Project) => ReactNode;
};

/** The same geometry as the grid of a smaller board. */
const CARD_PX = 198;
const GAP_PX = 16;
const NARROWEST_PX = 288;
/** Rows rendered beyond both edges: as far as Tab may jump before the next ones are rendered. */
const OVERSCAN = 3;

/**
 * The grid of a board with hundreds of cards: only the rows near the viewport are in the document, and those with the focus, the
 * open panel's card or the newest card. The list still announces its full size.
 */
export function VirtualGrid({ projects, selectedId, freshId, card }: VirtualGridProps) {
  const list = useRef<HTMLUListElement>(null);
  const { columns, top } = useGridLayout(list);
  const [focusedId, setFocusedId] = useState<string | null>(null);
  // The focus returns to it when its panel closes, however far the page was scrolled meanwhile.
  const [lastSelectedId, setLastSelectedId] = useState(selectedId);
  if (selectedId && selectedId !== lastSelectedId) setLastSelectedId(selectedId);
  const rowCount = Math.ceil(projects.length / columns);
  const pinnedRows = projects.flatMap(({ id }, at) =>
    id === lastSelectedId || id === freshId || id === focusedId ? [Math.floor(at / columns)] : [],
  );
  const virtualizer = useWindowVirtualizer({
    count: rowCount,
    estimateSize: () => CARD_PX + GAP_PX,
    overscan: OVERSCAN,
    scrollMargin: top,
    // Cards that appear a frame late are better than scrolling that waits for them.
    useFlushSync: false,
    rangeExtractor: (range) =>
      [...new Set([...defaultRangeExtractor(range), ...pinnedRows])].sort((one, two) => one - two),
  });
  return (
    <ul
      ref={list}
      className="relative"
      style={{ height: rowCount * (CARD_PX + GAP_PX) - GAP_PX }}
      onFocus={({ target }) => setFocusedId(target.closest("article")?.dataset.project ?? null)}
      onBlur={() => setFocusedId(null)}
    >
      {virtualizer.getVirtualItems().flatMap((row) =>
        projects.slice(row.index * columns, (row.index + 1) * columns).map((project, column) => (
          <li
            key={project.id}
            aria-setsize={projects.length}
            aria-posinset={row.index * columns + column + 1}
            className="absolute"
            style={{
              top: row.start - top,
              left: `calc(${column} * (100% + ${GAP_PX}px) / ${columns})`,
              width: `calc((100% - ${(columns - 1) * GAP_PX}px) / ${columns})`,
            }}
          >
            {card(project)}
          </li>
        )),
      )}
    </ul>
  );
}

let lastColumns = 3;

/** The number of columns, and the list's distance from the top of the page. */
function useGridLayout(list: RefObject<HTMLUListElement | null>): { columns: number; top: number } {
  const [layout, setLayout] = useState({ columns: lastColumns, top: 0 });
  useLayoutEffect(() => {
    const element = list.current;
    if (!element) return undefined;
    function measure(): void {
      const { top, width } = element?.getBoundingClientRect() ?? { top: 0, width: 0 };
      const columns = Math.max(1, Math.floor((width + GAP_PX) / (NARROWEST_PX + GAP_PX)));
      lastColumns = columns;
      const next = { columns, top: Math.round(top + window.scrollY) };
      setLayout((known) => (known.columns === next.columns && known.top === next.top ? known : next));
    }
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, [list]);
  return layout;
}
