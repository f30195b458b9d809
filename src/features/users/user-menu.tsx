import { ACCOUNT_TYPES } from "@db/enums";
import { ACCOUNT_TYPE_LABELS } from "@server/contract/labels";
import type { AdminUser } from "@server/contract/views";
import { Link } from "@tanstack/react-router";
import { Ellipsis, Eye } from "lucide-react";
import { ActionMenu } from "@/ui/action-menu";
import { IconButton } from "@/ui/icon-button";
import type { MenuEntry } from "@/ui/menu-entry";
import type { DirectAction } from "./use-direct-actions";
import type { UserAction } from "./use-user-actions";

type UserMenuProps = {
  user: AdminUser;
  underWay: readonly DirectAction[];
  onChoose: (action: UserAction) => void;
};

/** The "..." menu of a row: actions on an account that is no longer pending. */
export function UserMenu({ user, underWay, onChoose }: UserMenuProps) {
  return (
    <ActionMenu
      label={`Actions for ${user.name}`}
      align="start"
      trigger={
        <IconButton
          icon={Ellipsis}
          label={`More actions for ${user.name}`}
          size="sm"
          className="-my-2 pointer-fine:my-0"
        />
      }
      entries={entriesOf({ user, underWay, onChoose })}
    />
  );
}

function entriesOf({ user, underWay, onChoose }: UserMenuProps): MenuEntry[] {
  const direct = (kind: DirectAction, [label, busyLabel]: readonly [string, string]): MenuEntry => ({
    label: underWay.includes(kind) ? busyLabel : label,
    disabled: underWay.includes(kind),
    onSelect: () => onChoose({ kind }),
  });
  return [
    ...(user.accountType === "client" && user.accountStatus !== "rejected" ? seeAs(user) : []),
    user.accountStatus === "active"
      ? { label: "Deactivate", onSelect: () => onChoose({ kind: "deactivate" }) }
      : { label: "Reactivate", onSelect: () => onChoose({ kind: "reactivate" }) },
    ...(user.accountStatus === "active" && !user.hasSignInMethod
      ? [direct("invite", ["Send invitation", "Sending invitation..."])]
      : []),
    { kind: "separator" },
    {
      kind: "group",
      label: "Change type to",
      entries: ACCOUNT_TYPES.map((accountType) => ({
        label: ACCOUNT_TYPE_LABELS[accountType],
        checked: accountType === user.accountType,
        onSelect: () => accountType !== user.accountType && onChoose({ kind: "setType", accountType }),
      })),
    },
    { kind: "separator" },
    ...(user.hasTwoFactor
      ? [{ label: "Reset two-factor…", onSelect: () => onChoose({ kind: "resetTwoFactor" }) }]
      : []),
    direct("export", ["Export data", "Exporting data..."]),
    { label: "Erase person…", tone: "danger", onSelect: () => onChoose({ kind: "erase" }) },
  ];
}

/** A link to the client's portal as the client sees it. */
function seeAs({ id }: AdminUser): MenuEntry[] {
  const link = <Link to="/admin/clients/$clientId" params={{ clientId: id }} />;
  return [{ kind: "link", label: "See as this client", icon: Eye, render: link }, { kind: "separator" }];
}
