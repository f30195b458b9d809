import { getRouteApi, Link } from "@tanstack/react-router";
import { ArrowLeftRight, Users } from "lucide-react";
import { LogoutBottomItem, LogoutItem } from "@/features/auth/logout-item";
import { useMe } from "@/features/auth/use-auth";
import { useUserCounts } from "@/features/users/use-users";
import { UsersSection } from "@/features/users/users-section";
import { AppShell, ShellBrandName, ShellHeader } from "@/ui/app-shell";
import { BrandMark } from "@/ui/brand-mark";
import { BottomBarItem, NavItem } from "@/ui/nav-item";
import { SidebarToggle } from "@/ui/sidebar-toggle";
import { ThemeToggle } from "@/ui/theme-toggle";
import { FirstSteps } from "./first-steps";

const route = getRouteApi("/admin");

/** /admin: who may come in. Spec 2, Admin dashboard. */
export function AdminPage() {
  const { users: tab = "all" } = route.useSearch();
  const navigate = route.useNavigate();
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
          <SidebarToggle />
        </>
      }
      bottomBar={
        <>
          <BottomBarItem {...usersEntry} />
          <BottomBarItem {...tasksEntry} />
          <LogoutBottomItem />
        </>
      }
      header={
        <ShellHeader>
          <span className="me-auto md:hidden">
            <Brand />
          </span>
          <span className="ms-auto truncate text-dense text-ink2 max-md:hidden">{displayName}</span>
          <span className="-me-2.5">
            <ThemeToggle />
          </span>
        </ShellHeader>
      }
    >
      <h1 tabIndex={-1} className="text-h1">
        Users Management
      </h1>
      <FirstSteps name={displayName} />
      <div className="mt-4">
        <UsersSection
          tab={tab}
          onTabChange={(users) => void navigate({ search: (search) => ({ ...search, users }), resetScroll: false })}
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
