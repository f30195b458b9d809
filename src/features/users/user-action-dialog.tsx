import type { AccountType } from "@db/enums";
import { ACCOUNT_TYPE_LABELS } from "@server/contract/labels";
import { USER_MESSAGES } from "@server/contract/messages/users";
import { type ReactNode, useState } from "react";
import { ConfirmDialog } from "@/ui/confirm-dialog";
import type { FocusTarget } from "@/ui/dialog";
import { HoldingsChoice } from "./holdings-choice";
import { type HandoverChoices, useHandOverAll } from "./use-holdings";
import type { ChosenAction, UserAction } from "./use-user-actions";
import { useUserActions } from "./use-user-actions";

type UserActionDialogProps = {
  /** The action to confirm; the last one while the dialog closes. Give the dialog a key of it. */
  chosen: ChosenAction;
  open: boolean;
  onClose: () => void;
  finalFocus: FocusTarget;
};

/** Confirms a change of an account, hands over what is chosen first, and stays open until the list shows it. */
export function UserActionDialog({ chosen: { action, user }, open, onClose, finalFocus }: UserActionDialogProps) {
  const act = useUserActions();
  const handOverAll = useHandOverAll();
  const [choices, setChoices] = useState<HandoverChoices>({});
  const [isBusy, setBusy] = useState(false);

  async function confirm(): Promise<void> {
    setBusy(true);
    const rest = await handOverAll(user.id, choices);
    const isHandedOver = Object.keys(rest).length === 0;
    // What failed stays chosen: pressed again, it is tried again before anything else is done.
    setChoices(rest);
    if (isHandedOver) await act(action, user);
    setBusy(false);
    if (isHandedOver) onClose();
  }
  return (
    <ConfirmDialog
      open={open}
      onOpenChange={(next) => !next && onClose()}
      busy={isBusy}
      onConfirm={() => void confirm()}
      finalFocus={finalFocus}
      {...textFor(action)}
    >
      <p className="font-semibold">{user.name}</p>
      <p className="text-dense text-ink2 [overflow-wrap:anywhere]">{user.email}</p>
      {LEAVING.has(action.kind) && (
        <HoldingsChoice user={user} choices={choices} onChange={setChoices} disabled={isBusy} />
      )}
    </ConfirmDialog>
  );
}

/** After these somebody else may have to do what they hold. */
const LEAVING = new Set<UserAction["kind"]>(["deactivate", "setType", "erase"]);

type DialogText = {
  title: string;
  question: ReactNode;
  confirmLabel: string;
  busyLabel: string;
  tone?: "danger" | "primary";
};

function textFor(action: UserAction): DialogText {
  switch (action.kind) {
    case "reject":
      return {
        title: "Reject sign-up",
        question: "Reject this sign-up? The person is told by email.",
        confirmLabel: "Reject",
        busyLabel: "Rejecting...",
      };
    case "deactivate":
      return {
        title: "Deactivate user",
        question: "They are logged out everywhere at once and can't log in until an admin reactivates the account.",
        confirmLabel: "Deactivate",
        busyLabel: "Deactivating...",
      };
    case "reactivate":
      return {
        title: "Reactivate user",
        question: "They can log in again with the type they have, and are told by email.",
        confirmLabel: "Reactivate",
        busyLabel: "Reactivating...",
        tone: "primary",
      };
    case "setType":
      return {
        title: `Change type to ${ACCOUNT_TYPE_LABELS[action.accountType]}`,
        question: `${TYPE_MEANS[action.accountType]} They are logged out everywhere and have the new type when they log in again.`,
        confirmLabel: "Change type",
        busyLabel: "Changing...",
        tone: "primary",
      };
    case "resetTwoFactor":
      return {
        title: "Reset two-factor sign-in",
        question:
          "For someone who has lost their phone and recovery codes. Until they set it up again, their password alone logs them in: make sure that it is really them asking.",
        confirmLabel: "Reset",
        busyLabel: "Resetting...",
      };
    default:
      return {
        title: "Erase person",
        question: USER_MESSAGES.confirmErase,
        confirmLabel: "Erase",
        busyLabel: "Erasing...",
      };
  }
}

const TYPE_MEANS: Record<AccountType, string> = {
  user: "Users see and edit the projects they take part in.",
  client: "Clients see their own projects and can't change them.",
  admin: "Admins see every project and user.",
};
