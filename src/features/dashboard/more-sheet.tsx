import type { Me } from "@server/contract/views";
import { Link } from "@tanstack/react-router";
import { LayoutDashboard, Search, Shield } from "lucide-react";
import { useRef } from "react";
import { unreadLabel } from "@/features/chat/unread-label";
import { useUnread } from "@/features/chat/use-inbox";
import { Dialog } from "@/ui/dialog";
import { SheetEntry } from "@/ui/sheet-entry";
import { PALETTE_LABEL } from "../search/palette-button";
import { RoomLink } from "./room-link";
import { roomFor, roomsOnPhone } from "./rooms";
import { useBoardView } from "./use-board";

type MoreSheetProps = { open: boolean; onOpenChange: (open: boolean) => void; me: Me; onSearch: () => void };

/** On a phone: the rooms that have no place in the bottom bar, the palette, and the other dashboards. */
export function MoreSheet({ open, onOpenChange, me, onSearch }: MoreSheetProps) {
  const view = useBoardView();
  const unread = useUnread({ enabled: me.accountType !== "client" }) ?? 0;
  const hasLeft = useRef(false);
  function leave(): void {
    hasLeft.current = true;
    onOpenChange(false);
  }
  return (
    <Dialog
      open={open}
      onOpenChange={(next) => {
        hasLeft.current = false;
        onOpenChange(next);
      }}
      title="More"
      size="sheet"
      // A room gives the focus to its own heading.
      finalFocus={() => (hasLeft.current ? false : null)}
    >
      <ul className="-mx-2.5 grid gap-0.5">
        <SheetEntry
          icon={Search}
          label={PALETTE_LABEL}
          render={
            <button
              type="button"
              aria-haspopup="dialog"
              onClick={() => {
                hasLeft.current = true;
                onSearch();
              }}
            />
          }
        />
        {roomsOnPhone(me).more.map((room) => (
          <SheetEntry
            key={room.view}
            icon={room.icon}
            label={room.label}
            {...(room.view === "messages" && { count: unread, countLabel: unreadLabel(unread) })}
            render={
              <RoomLink
                view={room.view}
                aria-current={room.view === roomFor(me, view) ? "page" : undefined}
                onClick={leave}
              />
            }
          />
        ))}
        {me.accountType === "admin" && (
          <SheetEntry icon={Shield} label="Admin Dashboard" render={<Link to="/admin" onClick={leave} />} />
        )}
        {me.accountType === "client" && (
          <SheetEntry icon={LayoutDashboard} label="Client Dashboard" render={<Link to="/client" onClick={leave} />} />
        )}
      </ul>
    </Dialog>
  );
}
