import { LogOut } from "lucide-react";
import type { ReactNode } from "react";
import { ShellHeader } from "@/ui/app-shell";
import { NavItem } from "@/ui/nav-item";
import { ThemeToggle } from "@/ui/theme-toggle";
import { AccountMenu, type AccountMenuProps } from "./account-menu";
import { useSignOut } from "./use-auth";

type AccountHeaderProps = AccountMenuProps & {
  /** Shown below 768 px, where there is no sidebar. */
  brand: ReactNode;
  /** Opens the command palette. */
  palette: ReactNode;
  /** The bell. */
  notifications: ReactNode;
};

/** The header of pages without a search box of their own: the palette, the theme and the account menu. */
export function AccountHeader({ brand, palette, notifications, ...menu }: AccountHeaderProps) {
  return (
    <ShellHeader brand={brand}>
      {palette}
      <div className="flex shrink-0 items-center gap-1 sm:gap-2.5 md:ms-auto">
        <ThemeToggle />
        {notifications}
        <AccountMenu {...menu} />
      </div>
    </ShellHeader>
  );
}

/** "Logout" at the foot of a sidebar. */
export function LogoutItem() {
  const signOut = useSignOut();
  const logout = (
    <button type="button" aria-disabled={signOut.isPending} onClick={() => !signOut.isPending && signOut.mutate()} />
  );
  return <NavItem icon={LogOut} label="Logout" render={logout} />;
}
