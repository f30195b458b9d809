import { Link } from "@tanstack/react-router";
import { ArrowLeftRight, GitCommitHorizontal, LogOut, Menu } from "lucide-react";
import type { ComponentProps } from "react";
import { useSignOut } from "@/features/auth/use-auth";
import { ActionMenu } from "@/ui/action-menu";
import { BottomBarItem } from "@/ui/nav-item";
import { withAdminSearch } from "./admin-search";

/** The fifth place of a phone's bottom bar: what has no place of its own there. */
export function MoreItem() {
  return <BottomBarItem icon={Menu} label="More" render={<MoreButton />} />;
}

function MoreButton(props: ComponentProps<"button">) {
  const signOut = useSignOut();
  return (
    <ActionMenu
      label="More"
      trigger={<button {...props} type="button" />}
      entries={[
        {
          kind: "link",
          label: "Activity",
          icon: GitCommitHorizontal,
          render: <Link from="/admin" to="/admin" search={withAdminSearch({ section: "activity" })} />,
        },
        { kind: "link", label: "Switch to Tasks", icon: ArrowLeftRight, render: <Link to="/dashboard" /> },
        { label: "Logout", icon: LogOut, disabled: signOut.isPending, onSelect: () => signOut.mutate() },
      ]}
    />
  );
}
