import { ACCOUNT_TYPES, type AccountType } from "@db/enums";
import { ACCOUNT_TYPE_LABELS } from "@server/contract/labels";
import type { AdminUser } from "@server/contract/views";
import { Check, MailQuestionMark } from "lucide-react";
import { type ReactNode, useId, useState } from "react";
import { rowAction } from "@/lib/use-row-focus";
import { Button } from "@/ui/button";
import { Chip } from "@/ui/chip";
import { Select } from "@/ui/select";
import { useApproveUser } from "./use-users";

/** The parts of a pending row, which the table or the card lays out. */
interface Decision {
  isBusy: boolean;
  typeSelect: ReactNode;
  actions: ReactNode;
}

type UserDecisionProps = {
  user: AdminUser;
  onReject: () => void;
  children: (decision: Decision) => ReactNode;
};

/** One pending person: choose a type, then Approve or Reject. */
export function UserDecision({ user, onReject, children }: UserDecisionProps) {
  const approve = useApproveUser();
  const [accountType, setAccountType] = useState(user.accountType);
  const isBusy = approve.isPending;
  return children({
    isBusy,
    typeSelect: <TypeSelect userName={user.name} value={accountType} onChange={setAccountType} disabled={isBusy} />,
    actions: (
      <div className="flex items-center gap-2">
        <Button
          data-approve={user.id}
          {...rowAction}
          variant="tonal"
          size="sm"
          icon={<Check size={16} />}
          aria-label={isBusy ? undefined : `Approve ${user.name}`}
          aria-describedby={user.emailVerified ? undefined : unconfirmedId(user.id)}
          busy={isBusy}
          busyLabel="Saving..."
          onClick={() => approve.mutate({ userId: user.id, accountType })}
        >
          Approve
        </Button>
        <Button variant="danger" size="sm" aria-label={`Reject ${user.name}`} aria-disabled={isBusy} onClick={onReject}>
          Reject
        </Button>
      </div>
    ),
  });
}

type TypeSelectProps = {
  userName: string;
  value: AccountType;
  onChange: (accountType: AccountType) => void;
  disabled: boolean;
};

function TypeSelect({ userName, value, onChange, disabled }: TypeSelectProps) {
  const hintId = useId();
  const isAdmin = value === "admin";
  return (
    <div className="flex flex-col gap-1">
      <Select
        variant="compact"
        aria-label={`Account type for ${userName}`}
        aria-describedby={isAdmin ? hintId : undefined}
        value={value}
        disabled={disabled}
        onChange={({ target }) => onChange(ACCOUNT_TYPES.find((type) => type === target.value) ?? value)}
      >
        {ACCOUNT_TYPES.map((type) => (
          <option key={type} value={type}>
            {ACCOUNT_TYPE_LABELS[type]}
          </option>
        ))}
      </Select>
      {isAdmin && (
        <p id={hintId} className="text-meta text-orange">
          Admins see every project and user
        </p>
      )}
    </div>
  );
}

/** Renders nothing once the address is confirmed. */
export function UnconfirmedChip({ user: { id, emailVerified } }: { user: Pick<AdminUser, "id" | "emailVerified"> }) {
  if (emailVerified) return null;
  return (
    <span id={unconfirmedId(id)} className="block py-1">
      <Chip tone="orange" icon={MailQuestionMark} label="Email not confirmed" />
    </span>
  );
}

/** For `aria-describedby` of Approve. */
function unconfirmedId(userId: string): string {
  return `unconfirmed-${userId}`;
}
