import type { Me } from "@server/contract/views";
import { Link } from "@tanstack/react-router";
import { Menu } from "lucide-react";
import type { ReactNode } from "react";
import { unreadLabel } from "@/features/chat/unread-label";
import { AppShell, ShellBrandName } from "@/ui/app-shell";
import { BrandMark } from "@/ui/brand-mark";
import { BottomBarItem, NavItem } from "@/ui/nav-item";
import { SidebarToggle } from "@/ui/sidebar-toggle";
import type { BoardView } from "./board-search";
import type { Overlay } from "./lazy-overlays";
import { RoomLink } from "./room-link";
import { type Room, roomsFor, roomsOnPhone } from "./rooms";

type BoardShellProps = {
  me: Me;
  /** The room that is shown. */
  view: BoardView;
  header: ReactNode;
  /** Messages that wait. */
  unread: number;
  /** Of a room that lays out main itself. */
  main: "fill" | undefined;
  /** A room has the whole window, without the bottom bar. */
  isWhole: boolean;
  refreshing: boolean;
  onOverlay: (overlay: Overlay) => void;
  children: ReactNode;
};

/** The frame of /dashboard: the sidebar with its rooms, and on a phone the bottom bar. */
export function BoardShell({
  me,
  view,
  header,
  unread,
  main,
  isWhole,
  refreshing,
  onOverlay,
  children,
}: BoardShellProps) {
  const phone = roomsOnPhone(me);
  const entry = (room: Room) => ({
    icon: room.icon,
    label: room.label,
    active: room.view === view,
    ...(room.view === "messages" && { count: unread, countLabel: unreadLabel(unread), tone: "brand" as const }),
    render: <RoomLink view={room.view} />,
  });
  return (
    <AppShell
      brand={<BoardBrand me={me} />}
      nav={roomsFor(me).map((room) => <NavItem key={room.view} {...entry(room)} />)}
      navFooter={<SidebarToggle shortcut="[" />}
      main={main}
      bottomBar={
        !isWhole && (
          <>
            {phone.bar.map((room) => (
              <BottomBarItem key={room.view} {...entry(room)} />
            ))}
            <BottomBarItem
              icon={Menu}
              label="More"
              count={phone.more.some((room) => room.view === "messages") ? unread : 0}
              countLabel={unreadLabel(unread)}
              render={<button type="button" aria-haspopup="dialog" onClick={() => onOverlay("more")} />}
              active={phone.more.some((room) => room.view === view)}
            />
          </>
        )
      }
      header={header}
      refreshing={refreshing}
    >
      {children}
    </AppShell>
  );
}

/** The mark with the name, leading to where this person starts from: clients have a page of their own. */
export function BoardBrand({ me }: { me: Me }) {
  return (
    <Link
      to={me.accountType === "client" ? "/client" : "/dashboard"}
      activeOptions={{ exact: true }}
      className="flex items-center gap-2.5"
    >
      <BrandMark />
      <ShellBrandName>Sangam</ShellBrandName>
    </Link>
  );
}
