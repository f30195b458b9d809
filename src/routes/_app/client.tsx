import { CHAT_MESSAGES } from "@server/contract/messages/chat";
import { createFileRoute, Outlet } from "@tanstack/react-router";
import { FolderKanban, MessageCircle, Settings } from "lucide-react";
import { AccountHeader, LogoutBottomItem, LogoutItem } from "@/features/auth/account-header";
import { useChatFrame } from "@/features/chat/use-chat-frame";
import { useInbox } from "@/features/chat/use-inbox";
import { useProjectChanges, useProjects } from "@/features/projects/use-projects";
import { requireClient } from "@/lib/guards";
import { projectListQuery } from "@/lib/project-list";
import { usePreloadedPages } from "@/lib/use-delayed";
import { useShortcuts } from "@/lib/use-shortcuts";
import { AppShell } from "@/ui/app-shell";
import { BottomBarItem, NavItem } from "@/ui/nav-item";
import { SidebarToggle, useSidebarOpen } from "@/ui/sidebar-toggle";
import { BrandLink, PageLink } from "../-page-link";

export const Route = createFileRoute("/_app/client")({
  beforeLoad: requireClient,
  // In parallel with the page's code. The page shows loading and errors itself, and keeps the list up to date.
  loader: ({ context }) => void context.queryClient.prefetchQuery(projectListQuery(context.client, "mine")),
  component: ClientShell,
});

const MESSAGES = "/client/messages/{-$conversationId}";
const PAGES = ["/client", MESSAGES, "/client/settings"] as const;

/** The shell of /client. Spec 2, Client dashboard. */
function ClientShell() {
  const [, toggleSidebar] = useSidebarOpen();
  useShortcuts({ "[": toggleSidebar });
  usePreloadedPages(PAGES);
  const frame = useChatFrame();
  const unread = useInbox({ isOpen: frame.isShown });
  const { isFetching, isPending } = useProjects({ scope: "mine" });
  useProjectChanges();

  const projects = { icon: FolderKanban, label: "Projects", render: <PageLink to="/client" /> };
  const messages = {
    icon: MessageCircle,
    label: "Messages",
    count: unread,
    countLabel: CHAT_MESSAGES.unread(unread),
    tone: "brand" as const,
    render: <PageLink to={MESSAGES} />,
  };
  const settings = { icon: Settings, label: "Settings", render: <PageLink to="/client/settings" /> };
  return (
    <AppShell
      brand={<BrandLink to="/client" />}
      nav={
        <>
          <NavItem {...projects} />
          <NavItem {...messages} />
          <NavItem {...settings} />
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
            <BottomBarItem {...projects} />
            <BottomBarItem {...messages} />
            <BottomBarItem {...settings} />
            <LogoutBottomItem />
          </>
        )
      }
      header={!frame.isBare && <AccountHeader brand={<BrandLink to="/client" />} />}
      refreshing={isFetching && !isPending}
    >
      <Outlet />
    </AppShell>
  );
}
