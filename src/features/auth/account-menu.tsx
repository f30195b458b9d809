import { Keyboard, LogOut, Settings } from "lucide-react";
import type { ReactElement } from "react";
import { useMedia } from "@/lib/use-media";
import { ActionMenu } from "@/ui/action-menu";
import { Avatar } from "@/ui/avatar";
import { useMe, useSignOut } from "./use-auth";

export type AccountMenuProps = {
  /** An empty link to the settings of this shell. */
  settings: ReactElement;
  /** Opens the list of keyboard shortcuts. */
  onHelp: () => void;
};

/** The account menu in the header of every shell. */
export function AccountMenu({ settings, onHelp }: AccountMenuProps) {
  const { displayName, profileImgLink } = useMe();
  const signOut = useSignOut();
  const isWide = useMedia("(width >= 48rem)");
  return (
    <ActionMenu
      label="Account"
      trigger={
        <button
          type="button"
          className="inline-flex h-11 min-w-11 shrink-0 items-center justify-center gap-2 rounded-control px-1.5 font-medium text-body transition-colors duration-90 ease-out hover:bg-hover pointer-fine:h-9"
        >
          <Avatar name={displayName} src={profileImgLink} />
          <span className="max-w-44 truncate max-lg:sr-only">{displayName}</span>
        </button>
      }
      entries={[
        { kind: "link", label: "Settings", icon: Settings, render: settings },
        ...(isWide ? [{ label: "Keyboard shortcuts", icon: Keyboard, onSelect: onHelp }] : []),
        { label: "Logout", icon: LogOut, disabled: signOut.isPending, onSelect: () => signOut.mutate() },
      ]}
    />
  );
}
