import { getRouteApi, Link } from "@tanstack/react-router";
import { FolderKanban, MessageCircle, Settings } from "lucide-react";
import { Suspense } from "react";
import { AccountHeader } from "@/features/auth/account-header";
import { LogoutBottomItem, LogoutItem } from "@/features/auth/logout-item";
import { unreadLabel } from "@/features/chat/unread-label";
import { useChatFrame } from "@/features/chat/use-chat-frame";
import { useInbox } from "@/features/chat/use-inbox";
import { openIds, toggleOpen } from "@/features/projects/open-projects";
import { useProjectChanges, useProjects } from "@/features/projects/use-projects";
import { preloadSettings } from "@/features/settings/lazy-sections";
import { SettingsPage } from "@/features/settings/settings-page";
import { lazyPart } from "@/lib/lazy-part";
import { useDelayed } from "@/lib/use-delayed";
import { useShortcuts } from "@/lib/use-shortcuts";
import { AppShell, ShellBrandName } from "@/ui/app-shell";
import { BrandMark } from "@/ui/brand-mark";
import { BottomBarItem, NavItem } from "@/ui/nav-item";
import { SidebarToggle, useSidebarOpen } from "@/ui/sidebar-toggle";
import { ClientPortal } from "../projects/client-portal";
import { type ClientSearch, withClientSearch } from "./client-search";

const route = getRouteApi("/client");
const { Part: MessagesSection, preload: preloadMessages } = lazyPart(() =>
  import("@/features/chat/messages-section").then((module) => module.MessagesSection),
);

function preloadSections(): void {
  preloadMessages();
  preloadSettings();
}

/** /client: a client's projects, read-only, and their settings. Spec 2, Client dashboard. */
export function ClientPage() {
  const navigate = route.useNavigate();
  const [, toggleSidebar] = useSidebarOpen();
  useShortcuts({ "[": toggleSidebar });
  useDelayed(preloadSections);
  const { section = "projects", open: opened, c, to } = route.useSearch();
  const frame = useChatFrame({ isShown: section === "messages", place: { c, to } });
  const unread = useInbox({ isOpen: section === "messages" });
  const { isFetching, isPending } = useProjects({ scope: "mine" });
  useProjectChanges();

  function toggle(projectId: string): void {
    void navigate({
      search: (search) => withClientSearch({ open: toggleOpen(search.open, projectId) })(search),
      replace: true,
      resetScroll: false,
    });
  }

  const projectsEntry = {
    icon: FolderKanban,
    label: "Projects",
    active: section === "projects",
    render: <SectionLink to={{ section: "projects" }} />,
  };
  const messagesEntry = {
    icon: MessageCircle,
    label: "Messages",
    count: unread,
    countLabel: unreadLabel(unread),
    tone: "brand" as const,
    active: section === "messages",
    render: <SectionLink to={{ section: "messages" }} />,
  };
  const settingsEntry = {
    icon: Settings,
    label: "Settings",
    active: section === "settings",
    render: <SectionLink to={{ section: "settings" }} />,
  };
  return (
    <AppShell
      brand={<Brand />}
      nav={
        <>
          <NavItem {...projectsEntry} />
          <NavItem {...messagesEntry} />
          <NavItem {...settingsEntry} />
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
            <BottomBarItem {...projectsEntry} />
            <BottomBarItem {...messagesEntry} />
            <BottomBarItem {...settingsEntry} />
            <LogoutBottomItem />
          </>
        )
      }
      header={!frame.isBare && <AccountHeader brand={<Brand />} />}
      refreshing={isFetching && !isPending}
    >
      {section === "settings" && <SettingsPage />}
      {section === "messages" && (
        <Suspense fallback={<div aria-busy="true" className="h-[30px]" />}>
          <MessagesSection />
        </Suspense>
      )}
      {section === "projects" && (
        <>
          <h1 tabIndex={-1} className="text-h1">
            Projects
          </h1>
          <ClientPortal open={openIds(opened)} onToggle={toggle} />
        </>
      )}
    </AppShell>
  );
}

/** Leads to a section, and leaves the rest of the address as it is. */
function SectionLink({ to, ...rest }: { to: ClientSearch }) {
  return <Link {...rest} from="/client" to="/client" search={withClientSearch(to)} activeOptions={{ exact: true }} />;
}

function Brand() {
  return (
    <Link to="/client" activeOptions={{ exact: true }} className="flex items-center gap-2.5 rounded-control">
      <BrandMark />
      <ShellBrandName>Sangam</ShellBrandName>
    </Link>
  );
}
