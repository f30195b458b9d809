import { CHAT_MESSAGES } from "@server/contract/messages/chat";
import { createFileRoute, Link, Outlet } from "@tanstack/react-router";
import {
  ArrowLeftRight,
  FolderKanban,
  GitCommitHorizontal,
  LogOut,
  Mails,
  MessageCircle,
  ScrollText,
  Settings,
  Users,
} from "lucide-react";
import { AccountHeader, LogoutItem } from "@/features/auth/account-header";
import { useSignOut } from "@/features/auth/use-auth";
import { useChatFrame } from "@/features/chat/use-chat-frame";
import { useInbox } from "@/features/chat/use-inbox";
import { useInquiryChanges, useInquiryCounts } from "@/features/inquiries/use-inquiries";
import { countLabel } from "@/features/projects/board-filter";
import { useProjectChanges, useProjects } from "@/features/projects/use-projects";
import { useUserChanges, useUserCounts } from "@/features/users/use-users";
import { requireAdmin } from "@/lib/guards";
import { projectListQuery } from "@/lib/project-list";
import { usePreloadedPages } from "@/lib/use-delayed";
import { usePage } from "@/lib/use-page";
import { useShortcuts } from "@/lib/use-shortcuts";
import { AppShell } from "@/ui/app-shell";
import { MoreItem } from "@/ui/more-item";
import { BottomBarItem, NavItem } from "@/ui/nav-item";
import { SidebarToggle, useSidebarOpen } from "@/ui/sidebar-toggle";
import { BrandLink, PageLink } from "../-page-link";

export const Route = createFileRoute("/_app/admin")({
  beforeLoad: requireAdmin,
  // Asked for beside the page's own code: all projects, the counts of every subtab, and the default subtab.
  loader: ({ context }) => {
    void context.queryClient.prefetchQuery(projectListQuery(context.client, "all"));
    for (const status of ["pending", undefined] as const) void context.api.users.list.prefetchInfinite({ status });
  },
  component: AdminShell,
});

const MESSAGES = "/admin/messages/{-$conversationId}";
const PAGES = [
  "/admin",
  "/admin/users",
  MESSAGES,
  "/admin/activity",
  "/admin/inquiries",
  "/admin/audit",
  "/admin/settings",
  "/admin/clients",
  "/admin/clients/$clientId",
] as const;
const UNDER_MORE = new Set<string | undefined>(["/admin/activity", "/admin/inquiries", "/admin/audit"]);

/** The frame of /admin: every project, who may come in, and one's own settings. Spec 2, Admin dashboard. */
function AdminShell() {
  const frame = useChatFrame();
  const [, toggleSidebar] = useSidebarOpen();
  useShortcuts({ "[": toggleSidebar });
  usePreloadedPages(PAGES);
  useUserChanges();
  useProjectChanges();
  useInquiryChanges();
  const projects = useProjects({ scope: "all" });
  const entries = useEntries({ isReadingMessages: frame.isShown });
  return (
    <AppShell
      brand={<BrandLink to="/admin" />}
      nav={
        <>
          <NavItem {...entries.projects} />
          <NavItem {...entries.users} />
          <NavItem {...entries.messages} />
          <NavItem {...entries.activity} />
          <NavItem {...entries.inquiries} />
          <NavItem {...entries.audit} />
        </>
      }
      navFooter={
        <>
          <NavItem {...entries.settings} />
          <NavItem {...entries.tasks} />
          <LogoutItem />
          <SidebarToggle shortcut="[" />
        </>
      }
      main={frame.main}
      bottomBar={
        !frame.isWhole && (
          <>
            {/* Its badges are for what waits for the reader; a count of projects is not. */}
            <BottomBarItem {...entries.projects} count={undefined} />
            <BottomBarItem {...entries.users} />
            <BottomBarItem {...entries.messages} />
            <BottomBarItem {...entries.settings} />
            <More entries={entries} />
          </>
        )
      }
      header={!frame.isBare && <AccountHeader brand={<BrandLink to="/admin" />} />}
      refreshing={projects.isFetching && !projects.isPending}
    >
      <Outlet />
    </AppShell>
  );
}

/** The pages in the menu. While something waits, the entry leads to exactly what its badge counts. */
function useEntries({ isReadingMessages }: { isReadingMessages: boolean }) {
  const counts = useProjects({ scope: "all" }).data?.counts;
  const total = counts ? counts.todo + counts.inProgress + counts.completed : 0;
  const pending = useUserCounts()?.pending ?? 0;
  const unread = useInbox({ isOpen: isReadingMessages });
  const newInquiries = useInquiryCounts()?.new ?? 0;
  const usersChanges = pending > 0 ? { users: "pending" } : {};
  const inquiriesChanges = newInquiries > 0 ? { inquiries: "new", about: undefined } : {};
  return {
    projects: {
      icon: FolderKanban,
      label: "Projects",
      count: total,
      countLabel: countLabel(total),
      render: <PageLink to="/admin" />,
    },
    users: {
      icon: Users,
      label: "Users",
      count: pending,
      countLabel: `${pending} pending`,
      tone: "brand" as const,
      render: <PageLink to="/admin/users" changes={usersChanges} />,
    },
    messages: {
      icon: MessageCircle,
      label: "Messages",
      count: unread,
      countLabel: CHAT_MESSAGES.unread(unread),
      tone: "brand" as const,
      render: <PageLink to={MESSAGES} />,
    },
    activity: { icon: GitCommitHorizontal, label: "Activity", render: <PageLink to="/admin/activity" /> },
    inquiries: {
      icon: Mails,
      label: "Inquiries",
      count: newInquiries,
      countLabel: `${newInquiries} new`,
      tone: "brand" as const,
      render: <PageLink to="/admin/inquiries" changes={inquiriesChanges} />,
    },
    audit: { icon: ScrollText, label: "Audit", render: <PageLink to="/admin/audit" /> },
    settings: { icon: Settings, label: "Settings", render: <PageLink to="/admin/settings" /> },
    tasks: { icon: ArrowLeftRight, label: "Switch to Tasks", render: <Link to="/dashboard" /> },
  };
}

function More({ entries }: { entries: ReturnType<typeof useEntries> }) {
  const page = usePage();
  const signOut = useSignOut();
  const { activity, inquiries, audit, tasks } = entries;
  const logout = {
    icon: LogOut,
    label: "Logout",
    render: (
      <button type="button" aria-disabled={signOut.isPending} onClick={() => !signOut.isPending && signOut.mutate()} />
    ),
  };
  return (
    <MoreItem
      count={inquiries.count}
      countLabel={inquiries.count === 1 ? "1 new inquiry" : `${inquiries.count} new inquiries`}
      active={UNDER_MORE.has(page)}
      entries={[activity, inquiries, audit, tasks, logout]}
    />
  );
}
