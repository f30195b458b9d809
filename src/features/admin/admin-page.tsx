import { getRouteApi, Link } from "@tanstack/react-router";
import { ArrowLeftRight, Settings, Users } from "lucide-react";
import { AccountHeader } from "@/features/auth/account-header";
import { LogoutBottomItem, LogoutItem } from "@/features/auth/logout-item";
import { useMe } from "@/features/auth/use-auth";
import { SettingsPage } from "@/features/settings/settings-page";
import { useUserChanges, useUserCounts } from "@/features/users/use-users";
import { UsersSection } from "@/features/users/users-section";
import { useShortcuts } from "@/lib/use-shortcuts";
import { AppShell, ShellBrandName } from "@/ui/app-shell";
import { BrandMark } from "@/ui/brand-mark";
import { BottomBarItem, NavItem } from "@/ui/nav-item";
import { SidebarToggle, useSidebarOpen } from "@/ui/sidebar-toggle";
import { readAdminSearch } from "./admin-search";
import { FirstSteps } from "./first-steps";

const route = getRouteApi("/admin");

/** /admin: who may come in, and one's own settings. Spec 2, Admin dashboard. */
export function AdminPage() {
  const { section = "users", users: tab = "all" } = route.useSearch();
  const navigate = route.useNavigate();
  const [, toggleSidebar] = useSidebarOpen();
  useShortcuts({ "[": toggleSidebar });
  const { displayName } = useMe();
  useUserChanges();
  const pending = useUserCounts()?.pending ?? 0;
  const usersEntry = {
    icon: Users,
    label: "Users",
    count: pending,
    countLabel: `${pending} pending`,
    tone: "brand" as const,
    active: section === "users",
    render: <Link to="/admin" search={pending > 0 ? { users: "pending" } : {}} activeOptions={{ exact: true }} />,
  };
  const settingsEntry = {
    icon: Settings,
    label: "Settings",
    active: section === "settings",
    render: <Link to="/admin" search={{ section: "settings" }} />,
  };
  const tasksEntry = { icon: ArrowLeftRight, label: "Switch to Tasks", render: <Link to="/dashboard" /> };
  return (
    <AppShell
      brand={<Brand />}
      nav={<NavItem {...usersEntry} />}
      navFooter={
        <>
          <NavItem {...settingsEntry} />
          <NavItem {...tasksEntry} />
          <LogoutItem />
          <SidebarToggle shortcut="[" />
        </>
      }
      bottomBar={
        <>
          <BottomBarItem {...usersEntry} />
          <BottomBarItem {...settingsEntry} />
          <BottomBarItem {...tasksEntry} />
          <LogoutBottomItem />
        </>
      }
      header={<AccountHeader brand={<Brand />} />}
    >
      {section === "settings" ? (
        <SettingsPage />
      ) : (
        <>
          <h1 tabIndex={-1} className="text-h1">
            Users Management
          </h1>
          <FirstSteps name={displayName} />
          <div className="mt-4">
            <UsersSection
              tab={tab}
              onTabChange={(users) =>
                void navigate({ search: (search) => readAdminSearch({ ...search, users }), resetScroll: false })
              }
            />
          </div>
        </>
      )}
    </AppShell>
  );
}

function Brand() {
  return (
    <Link to="/admin" activeOptions={{ exact: true }} className="flex items-center gap-2.5 rounded-control">
      <BrandMark />
      <ShellBrandName>Sangam</ShellBrandName>
    </Link>
  );
}
