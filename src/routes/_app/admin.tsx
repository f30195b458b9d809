import { CHAT_MESSAGES } from "@server/contract/messages/chat";
import { createFileRoute, Link, Outlet } from "@tanstack/react-router";
import {
  ArrowLeftRight,
  FolderKanban,
  GitCommitHorizontal,
  Lightbulb,
  LogOut,
  Mails,
  MessageCircle,
  ScrollText,
  Server,
  Settings,
  Users,
} from "lucide-react";
import { AccountHeader, LogoutItem } from "@/features/auth/account-header";
import { useSignOut } from "@/features/auth/use-auth";
import { useChatFrame } from "@/features/chat/use-chat-frame";
import { useInbox } from "@/features/chat/use-inbox";
import { useInquiryChanges, useInquiryCounts } from "@/features/inquiries/use-inquiries";
import { Bell } from "@/features/notifications/bell";
import { countLabel } from "@/features/projects/board-filter";
import { useProjectChanges, useProjects } from "@/features/projects/use-projects";
import { useRequestChanges, useRequestCounts } from "@/features/requests/use-requests";
import { PaletteBox } from "@/features/search/palette-button";
import { useUserChanges, useUserCounts } from "@/features/users/use-users";
import { requireAdmin } from "@/lib/guards";
import { projectListQuery } from "@/lib/project-list";
import { usePage } from "@/lib/use-page";
import { AppShell } from "@/ui/app-shell";
import { MoreItem } from "@/ui/more-item";
import { BottomBarItem, NavItem } from "@/ui/nav-item";
import { SidebarToggle } from "@/ui/sidebar-toggle";
import { BrandLink, PageLink, useEnterPage } from "../-page-link";
import { type ShellPage, useShellOverlays } from "./-shell-overlays";

export const Route = createFileRoute("/_app/admin")({
  beforeLoad: requireAdmin,
  // In parallel with the page's code: all projects, the counts of every subtab, and the default subtab.
  loader: ({ context }) => {
    void context.queryClient.prefetchQuery(projectListQuery(context.client, "all"));
    for (const status of ["pending", undefined] as const) void context.api.users.list.prefetchInfinite({ status });
  },
  component: AdminShell,
});

const PAGES = {
  projects: { to: "/admin", label: "Projects", icon: FolderKanban },
  users: { to: "/admin/users", label: "Users", icon: Users },
  messages: { to: "/admin/messages/{-$conversationId}", label: "Messages", icon: MessageCircle },
  activity: { to: "/admin/activity", label: "Activity", icon: GitCommitHorizontal },
  requests: { to: "/admin/requests", label: "Requests", icon: Lightbulb },
  inquiries: { to: "/admin/inquiries", label: "Inquiries", icon: Mails },
  audit: { to: "/admin/audit", label: "Audit", icon: ScrollText },
  system: { to: "/admin/system", label: "System", icon: Server },
  settings: { to: "/admin/settings", label: "Settings", icon: Settings },
} satisfies Record<string, ShellPage>;
const ALL_PAGES = Object.values(PAGES);
const UNDER_MORE = new Set<string | undefined>([
  "/admin/activity",
  "/admin/requests",
  "/admin/inquiries",
  "/admin/audit",
  "/admin/system",
]);

/** The shell of /admin. Spec 2, Admin dashboard. */
function AdminShell() {
  const frame = useChatFrame();
  const { openPalette, openHelp, overlays } = useShellOverlays({
    home: "/admin",
    pages: ALL_PAGES,
    enter: useEnterPage(),
  });
  useUserChanges();
  useProjectChanges();
  useInquiryChanges();
  useRequestChanges();
  const projects = useProjects({ scope: "all" });
  const entries = useEntries({ isReadingMessages: frame.isShown });
  const brand = <BrandLink to="/admin" />;
  return (
    <AppShell
      brand={brand}
      nav={
        <>
          <NavItem {...entries.projects} />
          <NavItem {...entries.users} />
          <NavItem {...entries.messages} />
          <NavItem {...entries.requests} />
          <NavItem {...entries.activity} />
          <NavItem {...entries.inquiries} />
          <NavItem {...entries.audit} />
          <NavItem {...entries.system} />
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
            <BottomBarItem {...entries.projects} />
            <BottomBarItem {...entries.users} />
            <BottomBarItem {...entries.messages} />
            <BottomBarItem {...entries.settings} />
            <More entries={entries} />
          </>
        )
      }
      header={
        !frame.isWhole && (
          <AccountHeader
            brand={brand}
            notifications={<Bell inbox={<PageLink to="/admin/inbox" />} />}
            palette={<PaletteBox onClick={openPalette} />}
            settings={<PageLink to="/admin/settings" />}
            onHelp={openHelp}
          />
        )
      }
      refreshing={projects.isFetching && !projects.isPending}
    >
      <Outlet />
      {overlays}
    </AppShell>
  );
}

/** The entries of the menu. An entry with a badge leads to what the badge counts. */
function useEntries({ isReadingMessages }: { isReadingMessages: boolean }) {
  const counts = useProjects({ scope: "all" }).data?.counts;
  const total = counts ? counts.todo + counts.inProgress + counts.completed : 0;
  const { all: people = 0, pending = 0 } = useUserCounts() ?? {};
  const unread = useInbox({ isOpen: isReadingMessages });
  const newInquiries = useInquiryCounts()?.new ?? 0;
  const newRequests = useRequestCounts()?.new ?? 0;
  const page = usePage();
  const usersChanges = pending > 0 ? { users: "pending" } : {};
  const inquiriesChanges = newInquiries > 0 ? { inquiries: "new", about: undefined } : {};
  return {
    projects: { ...entryOf(PAGES.projects), total, totalLabel: countLabel(total) },
    users: {
      ...entryOf(PAGES.users, usersChanges),
      total: people,
      totalLabel: people === 1 ? "1 person" : `${people} people`,
      count: pending,
      countLabel: `${pending} pending`,
      // "See as a client" opens from there. Elsewhere the link decides.
      active: page?.startsWith("/admin/clients") || undefined,
    },
    messages: { ...entryOf(PAGES.messages), count: unread, countLabel: CHAT_MESSAGES.unread(unread) },
    requests: { ...entryOf(PAGES.requests), count: newRequests, countLabel: `${newRequests} new` },
    activity: entryOf(PAGES.activity),
    inquiries: {
      ...entryOf(PAGES.inquiries, inquiriesChanges),
      count: newInquiries,
      countLabel: `${newInquiries} new`,
    },
    audit: entryOf(PAGES.audit),
    system: entryOf(PAGES.system),
    settings: entryOf(PAGES.settings),
    tasks: { icon: ArrowLeftRight, label: "Switch to Tasks", render: <Link to="/dashboard" /> },
  };
}

function entryOf({ to, icon, label }: ShellPage, changes?: Record<string, string | undefined>) {
  return { icon, label, render: changes ? <PageLink to={to} changes={changes} /> : <PageLink to={to} /> };
}

function More({ entries }: { entries: ReturnType<typeof useEntries> }) {
  const page = usePage();
  const signOut = useSignOut();
  const { requests, activity, inquiries, audit, system, tasks } = entries;
  const logout = {
    icon: LogOut,
    label: "Logout",
    render: (
      <button type="button" aria-disabled={signOut.isPending} onClick={() => !signOut.isPending && signOut.mutate()} />
    ),
  };
  return (
    <MoreItem
      count={inquiries.count + requests.count}
      countLabel={`${inquiries.count + requests.count} new`}
      active={UNDER_MORE.has(page)}
      entries={[requests, activity, inquiries, audit, system, tasks, logout]}
    />
  );
}
