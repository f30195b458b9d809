import type { Me } from "@server/contract/views";
import { Link } from "@tanstack/react-router";
import { FolderKanban, Settings, Shield } from "lucide-react";
import type { ReactNode } from "react";
import { useShortcuts } from "@/lib/use-shortcuts";
import { AppShell, ShellBrandName } from "@/ui/app-shell";
import { BrandMark } from "@/ui/brand-mark";
import { BottomBarItem, NavItem } from "@/ui/nav-item";
import { SidebarToggle, useSidebarOpen } from "@/ui/sidebar-toggle";
import { useBoardSearch } from "./use-board";

type BoardShellProps = {
  me: Me;
  header: ReactNode;
  refreshing: boolean;
  onSearchKey: () => void;
  children: ReactNode;
};

/** The frame of /dashboard: the sidebar, on a phone the bottom bar, and its keys. */
export function BoardShell({ me, header, refreshing, onSearchKey, children }: BoardShellProps) {
  const [, toggleSidebar] = useSidebarOpen();
  useShortcuts({ "/": onSearchKey, "[": toggleSidebar });
  const { view } = useBoardSearch();
  const projectsEntry = {
    icon: FolderKanban,
    label: "Projects",
    active: view === "board",
    render: <Link to="/dashboard" preload={false} activeOptions={{ exact: true }} />,
  };
  const settingsEntry = {
    icon: Settings,
    label: "Settings",
    active: view === "settings",
    render: <Link to="/dashboard" search={{ view: "settings" }} preload={false} />,
  };
  return (
    <AppShell
      brand={<BoardBrand me={me} />}
      nav={
        <>
          <NavItem {...projectsEntry} />
          <NavItem {...settingsEntry} />
        </>
      }
      navFooter={<SidebarToggle shortcut="[" />}
      bottomBar={
        <>
          <BottomBarItem {...projectsEntry} />
          {me.accountType === "admin" && (
            <BottomBarItem icon={Shield} label="Admin Dashboard" render={<Link to="/admin" />} />
          )}
          <BottomBarItem {...settingsEntry} />
        </>
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
