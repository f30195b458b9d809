import { LogOut } from "lucide-react";
import type { ComponentProps, ReactNode } from "react";
import { ShellHeader } from "@/ui/app-shell";
import { Avatar } from "@/ui/avatar";
import { BottomBarItem, NavItem } from "@/ui/nav-item";
import { ThemeToggle } from "@/ui/theme-toggle";
import { useMe, useSignOut } from "./use-auth";

type AccountHeaderProps = {
  /** Shown below 768 px, where there is no sidebar. */
  brand: ReactNode;
};

/** The header of pages without a search: who is signed in, and the theme. */
export function AccountHeader({ brand }: AccountHeaderProps) {
  const { displayName, profileImgLink } = useMe();
  return (
    <ShellHeader className="justify-end">
      <span className="me-auto md:hidden">{brand}</span>
      <span className="max-md:-me-2.5">
        <ThemeToggle />
      </span>
      <span className="flex min-w-0 items-center gap-2 font-medium max-md:hidden">
        <Avatar name={displayName} src={profileImgLink} />
        <bdi className="truncate">{displayName}</bdi>
      </span>
    </ShellHeader>
  );
}

/** "Logout" at the foot of a sidebar. */
export function LogoutItem() {
  return <NavItem icon={LogOut} label="Logout" render={<LogoutButton />} />;
}

/** "Logout" in the bottom bar of a phone. */
export function LogoutBottomItem() {
  return <BottomBarItem icon={LogOut} label="Logout" render={<LogoutButton />} />;
}

function LogoutButton(props: ComponentProps<"button">) {
  const signOut = useSignOut();
  return (
    <button
      {...props}
      type="button"
      aria-disabled={signOut.isPending}
      onClick={() => !signOut.isPending && signOut.mutate()}
    />
  );
}
