import type { Me } from "@server/contract/views";
import { Keyboard, LogOut, Settings } from "lucide-react";
import { useSignOut } from "@/features/auth/use-auth";
import { ActionMenu } from "@/ui/action-menu";
import { Avatar } from "@/ui/avatar";
import { RoomLink } from "./room-link";

type UserMenuProps = { me: Me; onHelp: () => void };

/** Who is signed in, the way to one's settings, the list of keys, and the way out. */
export function UserMenu({ me, onHelp }: UserMenuProps) {
  const signOut = useSignOut();
  return (
    <ActionMenu
      label="Account"
      trigger={
        <button
          type="button"
          className="inline-flex h-11 min-w-11 shrink-0 items-center justify-center gap-2 rounded-control px-1.5 font-medium text-body transition-colors duration-90 ease-out hover:bg-hover pointer-fine:h-9"
        >
          <Avatar name={me.displayName} src={me.profileImgLink} />
          <span className="max-w-44 truncate max-lg:sr-only">{me.displayName}</span>
        </button>
      }
      entries={[
        {
          kind: "link",
          label: "Settings",
          icon: Settings,
          render: <RoomLink view="settings" />,
        },
        { label: "Keyboard shortcuts", icon: Keyboard, onSelect: onHelp },
        {
          label: "Logout",
          icon: LogOut,
          disabled: signOut.isPending,
          onSelect: () => signOut.mutate(),
        },
      ]}
    />
  );
}
