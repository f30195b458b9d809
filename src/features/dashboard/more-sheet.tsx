import type { Me } from "@server/contract/views";
import { Link } from "@tanstack/react-router";
import { LayoutDashboard, type LucideIcon, Search, Shield } from "lucide-react";
import { cloneElement, type ReactElement, type ReactNode, useRef } from "react";
import { unreadLabel } from "@/features/chat/unread-label";
import { useUnread } from "@/features/chat/use-inbox";
import { CountBadge, countedName } from "@/ui/count-badge";
import { Dialog } from "@/ui/dialog";
import { PALETTE_LABEL } from "./palette-button";
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
        <Entry
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
          <Entry
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
          <Entry icon={Shield} label="Admin Dashboard" render={<Link to="/admin" onClick={leave} />} />
        )}
        {me.accountType === "client" && (
          <Entry icon={LayoutDashboard} label="Client Dashboard" render={<Link to="/client" onClick={leave} />} />
        )}
      </ul>
    </Dialog>
  );
}

type EntryProps = {
  icon: LucideIcon;
  label: string;
  count?: number;
  countLabel?: string;
  render: ReactElement<{ className?: string; children?: ReactNode; "aria-label"?: string | undefined }>;
};

function Entry({ icon: Icon, label, count = 0, countLabel, render }: EntryProps) {
  return (
    <li>
      {cloneElement(
        render,
        {
          "aria-label": count > 0 ? countedName(label, countLabel) : undefined,
          className:
            "flex h-12 w-full items-center gap-3 rounded-control px-2.5 text-start font-medium text-reading text-ink2 hover:bg-hover hover:text-ink aria-[current=page]:bg-raised aria-[current=page]:text-ink",
        },
        <Icon aria-hidden="true" size={20} strokeWidth={1.75} className="shrink-0" />,
        label,
        " ",
        count > 0 && <CountBadge count={count} tone="brand" className="ms-auto" />,
      )}
    </li>
  );
}
