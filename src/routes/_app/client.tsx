import { CHAT_MESSAGES } from "@server/contract/messages/chat";
import { createFileRoute, Outlet } from "@tanstack/react-router";
import { FolderKanban, Lightbulb, MessageCircle, Settings } from "lucide-react";
import { AccountHeader, LogoutItem } from "@/features/auth/account-header";
import { useChatFrame } from "@/features/chat/use-chat-frame";
import { useInbox } from "@/features/chat/use-inbox";
import { Bell } from "@/features/notifications/bell";
import { useProjectChanges, useProjects } from "@/features/projects/use-projects";
import { useRequestChanges, useRequestCounts } from "@/features/requests/use-requests";
import { PaletteBox } from "@/features/search/palette-button";
import { requireClient } from "@/lib/guards";
import { projectListQuery } from "@/lib/project-list";
import { AppShell } from "@/ui/app-shell";
import { BottomBarItem, NavItem } from "@/ui/nav-item";
import { SidebarToggle } from "@/ui/sidebar-toggle";
import { BrandLink, PageLink, useEnterPage } from "../-page-link";
import { type ShellPage, useShellOverlays } from "./-shell-overlays";

export const Route = createFileRoute("/_app/client")({
  beforeLoad: requireClient,
  // In parallel with the page's code. The page shows loading and errors itself, and keeps the list up to date.
  loader: ({ context }) => void context.queryClient.prefetchQuery(projectListQuery(context.client, "mine")),
  component: ClientShell,
});

const PROJECTS: ShellPage = { to: "/client", label: "Projects", icon: FolderKanban };
const MESSAGES: ShellPage = { to: "/client/messages/{-$conversationId}", label: "Messages", icon: MessageCircle };
const REQUESTS: ShellPage = { to: "/client/requests", label: "Requests", icon: Lightbulb };
const SETTINGS: ShellPage = { to: "/client/settings", label: "Settings", icon: Settings };
const PAGES = [PROJECTS, REQUESTS, MESSAGES, SETTINGS];

/** The shell of /client. Spec 2, Client dashboard. */
function ClientShell() {
  const { openPalette, openHelp, overlays } = useShellOverlays({
    home: "/client",
    pages: PAGES,
    enter: useEnterPage(),
  });
  const frame = useChatFrame();
  const unread = useInbox({ isOpen: frame.isShown });
  const { isFetching, isPending } = useProjects({ scope: "mine" });
  useProjectChanges();
  useRequestChanges();
  const asked = useRequestCounts()?.asked ?? 0;

  const messages = { ...entryOf(MESSAGES), count: unread, countLabel: CHAT_MESSAGES.unread(unread) };
  const requests = { ...entryOf(REQUESTS), count: asked, countLabel: `${asked} to answer` };
  const brand = <BrandLink to="/client" />;
  return (
    <AppShell
      brand={brand}
      nav={
        <>
          <NavItem {...entryOf(PROJECTS)} />
          <NavItem {...requests} />
          <NavItem {...messages} />
          <NavItem {...entryOf(SETTINGS)} />
        </>
      }
      navFooter={
        <>
          <LogoutItem />
          <SidebarToggle shortcut="[" />
        </>
      }
      main={frame.main}
      bottomBar={
        !frame.isWhole && (
          <>
            <BottomBarItem {...entryOf(PROJECTS)} />
            <BottomBarItem {...requests} />
            <BottomBarItem {...messages} />
            <BottomBarItem {...entryOf(SETTINGS)} />
          </>
        )
      }
      header={
        !frame.isWhole && (
          <AccountHeader
            brand={brand}
            notifications={<Bell inbox={<PageLink to="/client/inbox" />} />}
            palette={<PaletteBox onClick={openPalette} />}
            settings={<PageLink to="/client/settings" />}
            onHelp={openHelp}
          />
        )
      }
      refreshing={isFetching && !isPending}
    >
      <Outlet />
      {overlays}
    </AppShell>
  );
}

function entryOf({ to, icon, label }: ShellPage) {
  return { icon, label, render: <PageLink to={to} /> };
}
