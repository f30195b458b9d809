import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import type { BoardSearch } from "./board-search";
import { pushed } from "./layers";
import { useBoardSearch } from "./use-board";

type PanelLinkProps = { projectId: string; id: string; className: string; children: ReactNode };

/** The title of a card: opens the project's panel on top, or in the place of the panel that is open. */
export function PanelLink({ projectId, ...rest }: PanelLinkProps) {
  const { panel } = useBoardSearch();
  const isOpen = panel !== undefined;
  return (
    <Link
      {...rest}
      to="/dashboard"
      search={(search: BoardSearch) => ({ ...search, panel: projectId })}
      state={({ layers = {} }) => ({ layers: isOpen ? layers : pushed(layers, "panel") })}
      replace={isOpen}
      resetScroll={false}
      preload={false}
      activeProps={{ "aria-current": "true" }}
    />
  );
}
