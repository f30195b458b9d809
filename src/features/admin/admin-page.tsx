import { getRouteApi, Link } from "@tanstack/react-router";
import { ArrowLeftRight, FolderKanban, GitCommitHorizontal, MessageCircle, Settings, Users } from "lucide-react";
import { AccountHeader } from "@/features/auth/account-header";
import { LogoutItem } from "@/features/auth/logout-item";
import { unreadLabel } from "@/features/chat/unread-label";
import { useChatFrame } from "@/features/chat/use-chat-frame";
import { useInbox } from "@/features/chat/use-inbox";
import { useInquiryChanges } from "@/features/inquiries/use-inquiries";
import { countLabel } from "@/features/projects/board-filter";
import { useProjectChanges, useProjects } from "@/features/projects/use-projects";
import { useUserChanges, useUserCounts } from "@/features/users/use-users";
import { useDelayed } from "@/lib/use-delayed";
import { useShortcuts } from "@/lib/use-shortcuts";
import { AppShell, ShellBrandName } from "@/ui/app-shell";
import { BrandMark } from "@/ui/brand-mark";
import { BottomBarItem, NavItem } from "@/ui/nav-item";
import { SidebarToggle, useSidebarOpen } from "@/ui/sidebar-toggle";
import { LazySection, preloadSections } from "./lazy-section";
import { MoreItem } from "./more-item";
import { ProjectsSection } from "./projects-section";
import { useRecordEntries } from "./record-entries";
import { SectionLink } from "./section-link";

const route = getRouteApi("/admin");

/** /admin: every project, who may come in, and one's own settings. Spec 2, Admin dashboard. */
export function AdminPage() {
  const { section = "projects", c, to } = route.useSearch();
  const frame = useChatFrame({ isShown: section === "messages", place: { c, to } });
  const [, toggleSidebar] = useSidebarOpen();
  useShortcuts({ "[": toggleSidebar });
  useDelayed(preloadSections);
  useUserChanges();
  useProjectChanges();
  useInquiryChanges();
  const projects = useProjects({ scope: "all" });
  const { projectsEntry, usersEntry, messagesEntry, activityEntry, settingsEntry } = useEntries();
  const { inquiriesEntry, auditEntry } = useRecordEntries(section);
  const tasksEntry = { icon: ArrowLeftRight, label: "Switch to Tasks", render: <Link to="/dashboard" /> };
  return (
    <AppShell
      brand={<Brand />}
      nav={
        <>
          <NavItem {...projectsEntry} />
          <NavItem {...usersEntry} />
          <NavItem {...messagesEntry} />
          <NavItem {...activityEntry} />
          <NavItem {...inquiriesEntry} />
          <NavItem {...auditEntry} />
        </>
      }
      navFooter={
        <>
          <NavItem {...settingsEntry} />
          <NavItem {...tasksEntry} />
          <LogoutItem />
          <SidebarToggle shortcut="[" />
        </>
      }
      main={frame.main}
      bottomBar={
        !frame.isWhole && (
          <>
            {/* Its badges are for what waits for the reader; a count of projects is not. */}
            <BottomBarItem {...projectsEntry} count={undefined} />
            <BottomBarItem {...usersEntry} />
            <BottomBarItem {...messagesEntry} />
            <BottomBarItem {...settingsEntry} />
            <MoreItem section={section} newInquiries={inquiriesEntry.count} />
          </>
        )
      }
      header={!frame.isBare && <AccountHeader brand={<Brand />} />}
      refreshing={projects.isFetching && !projects.isPending}
    >
      {section === "projects" ? <ProjectsSection /> : <LazySection section={section} />}
    </AppShell>
  );
}

/** The sections' places in the menu. */
function useEntries() {
  const { section = "projects" } = route.useSearch();
  const counts = useProjects({ scope: "all" }).data?.counts;
  const total = counts ? counts.todo + counts.inProgress + counts.completed : 0;
  const pending = useUserCounts()?.pending ?? 0;
  const unread = useInbox({ isOpen: section === "messages" });
  return {
    projectsEntry: {
      icon: FolderKanban,
      label: "Projects",
      count: total,
      countLabel: countLabel(total),
      active: section === "projects",
      render: <SectionLink to={{ section: "projects" }} />,
    },
    usersEntry: {
      icon: Users,
      label: "Users",
      count: pending,
      countLabel: `${pending} pending`,
      tone: "brand" as const,
      active: section === "users",
      render: <SectionLink to={{ section: "users", ...(pending > 0 && { users: "pending" }) }} />,
    },
    messagesEntry: {
      icon: MessageCircle,
      label: "Messages",
      count: unread,
      countLabel: unreadLabel(unread),
      tone: "brand" as const,
      active: section === "messages",
      render: <SectionLink to={{ section: "messages" }} />,
    },
    activityEntry: {
      icon: GitCommitHorizontal,
      label: "Activity",
      active: section === "activity",
      render: <SectionLink to={{ section: "activity" }} />,
    },
    settingsEntry: {
      icon: Settings,
      label: "Settings",
      active: section === "settings",
      render: <SectionLink to={{ section: "settings" }} />,
    },
  };
}

function Brand() {
  return (
    <Link to="/admin" activeOptions={{ exact: true }} className="flex items-center gap-2.5 rounded-control">
      <BrandMark />
      <ShellBrandName>Sangam</ShellBrandName>
    </Link>
  );
}
