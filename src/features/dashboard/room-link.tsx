import { useRouter } from "@tanstack/react-router";
import type { ComponentProps, MouseEvent } from "react";
import { type BoardView, readBoardSearch } from "./board-search";
import { preloadRoom } from "./lazy-rooms";
import { roomSearch } from "./rooms";
import { useRoomAddress } from "./use-board";

type RoomLinkProps = Omit<ComponentProps<"a">, "href"> & { view: BoardView };

/**
 * Leads to a room of /dashboard and fetches its code when the pointer or the focus comes near. Not the router's Link: each of
 * those thinks anew at every change of the address, also when a panel opens.
 */
export function RoomLink({ view, onClick, onPointerEnter, onFocus, ...rest }: RoomLinkProps) {
  const router = useRouter();
  const address = useRoomAddress(view);

  function enter(event: MouseEvent<HTMLAnchorElement>): void {
    onClick?.(event);
    if (event.defaultPrevented || event.button !== 0) return;
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    void router.navigate({ to: "/dashboard", search: (search) => roomSearch(readBoardSearch(search), view) });
  }
  return (
    <a
      {...rest}
      href={address}
      onClick={enter}
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
