import { getRouteApi, Link } from "@tanstack/react-router";
import { ArrowLeftRight, Users } from "lucide-react";
import { AccountHeader } from "@/features/auth/account-header";
import { LogoutBottomItem, LogoutItem } from "@/features/auth/logout-item";
import { useMe } from "@/features/auth/use-auth";
import { useUserCounts } from "@/features/users/use-users";
import { UsersSection } from "@/features/users/users-section";
import { useShortcuts } from "@/lib/use-shortcuts";
import { AppShell, ShellBrandName } from "@/ui/app-shell";
import { BrandMark } from "@/ui/brand-mark";
import { BottomBarItem, NavItem } from "@/ui/nav-item";
import { SidebarToggle, useSidebarOpen } from "@/ui/sidebar-toggle";
import { readAdminSearch } from "./admin-search";
import { FirstSteps } from "./first-steps";

const route = getRouteApi("/admin");

/** /admin: who may come in. Spec 2, Admin dashboard. */
export function AdminPage() {
  const { users: tab = "all" } = route.useSearch();
  const navigate = route.useNavigate();
  const [, toggleSidebar] = useSidebarOpen();
  useShortcuts({ "[": toggleSidebar });
  const { displayName } = useMe();
  const pending = useUserCounts()?.pending ?? 0;
  const usersEntry = {
    icon: Users,
    label: "Users",
    count: pending,
    countLabel: `${pending} pending`,
    tone: "brand" as const,
    active: true,
    render: <Link to="/admin" search={pending > 0 ? { users: "pending" } : {}} />,
  };
  const tasksEntry = { icon: ArrowLeftRight, label: "Switch to Tasks", render: <Link to="/dashboard" /> };
  return (
    <AppShell
      brand={<Brand />}
      nav={<NavItem {...usersEntry} />}
      navFooter={
        <>
          <NavItem {...tasksEntry} />
          <LogoutItem />
          <SidebarToggle shortcut="[" />
        </>
      }
      bottomBar={
        <>
          <BottomBarItem {...usersEntry} />
          <BottomBarItem {...tasksEntry} />
          <LogoutBottomItem />
        </>
      }
      header={<AccountHeader brand={<Brand />} />}
    >
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
    </AppShell>
  );
}

function Brand() {
  return (
    <Link to="/admin" className="flex items-center gap-2.5 rounded-control">
      <BrandMark />
      <ShellBrandName>Sangam</ShellBrandName>
    </Link>
  );
}
