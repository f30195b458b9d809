import { LogOut } from "lucide-react";
import type { ComponentProps } from "react";
import { BottomBarItem, NavItem } from "@/ui/nav-item";
import { useSignOut } from "./use-auth";

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
