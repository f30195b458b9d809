import { Link, type LinkComponentProps } from "@tanstack/react-router";
import { type BoardView, readBoardSearch } from "./board-search";
import { preloadRoom } from "./lazy-rooms";
import { roomSearch } from "./rooms";

type RoomLinkProps = Omit<LinkComponentProps, "to" | "search"> & { view: BoardView };

/** Leads to a room of /dashboard and fetches its code when the pointer or the focus comes near. */
export function RoomLink({ view, onPointerEnter, onFocus, ...rest }: RoomLinkProps) {
  return (
    <Link
      {...rest}
      to="/dashboard"
      search={(search) => roomSearch(readBoardSearch(search), view)}
      preload={false}
      // To the router all rooms are one page: whoever places the link says which one is open.
      activeOptions={WHOLE_ADDRESS}
      onPointerEnter={(event) => {
        preloadRoom(view);
        onPointerEnter?.(event);
      }}
      onFocus={(event) => {
        preloadRoom(view);
        onFocus?.(event);
      }}
    />
  );
}

const WHOLE_ADDRESS = { exact: true, includeSearch: true };
