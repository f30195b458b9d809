import type { AccountType } from "@db/enums";
import type { Person } from "@server/contract/views";
import { SquarePen } from "lucide-react";
import { useState } from "react";
import { useMe } from "@/features/auth/use-auth";
import { cn } from "@/lib/cn";
import { messageOf } from "@/lib/user-message";
import { Button } from "@/ui/button";
import { Picker, type PickerGroup } from "@/ui/picker";
import { useRecipients } from "./use-chat";

type NewMessageProps = {
  /** "New Message" by default. */
  label?: string | undefined;
  variant?: "primary" | undefined;
  onChoose: (personId: string) => void;
};

/** A button that opens the people one can message: clients and users for admins, admins for everybody else. */
export function NewMessage({ label = "New Message", variant, onChoose }: NewMessageProps) {
  const { accountType } = useMe();
  const [isOpen, setOpen] = useState(false);
  const recipients = useRecipients({ enabled: isOpen });
  return (
    <Picker
      label="Search people"
      trigger={
        <Button variant={variant} icon={<SquarePen size={16} className={cn(!variant && "sm:max-lg:hidden")} />}>
          {label}
        </Button>
      }
      open={isOpen}
      onOpenChange={setOpen}
      groups={groupsOf(recipients.data ?? [])}
      notice={recipients.isPending ? "Loading people..." : recipients.isError ? messageOf(recipients.error) : undefined}
      emptyLabel={recipients.data?.length === 0 ? NOBODY_YET[accountType] : NO_MATCH[accountType]}
      onChoose={onChoose}
    />
  );
}

const NOBODY_YET: Record<AccountType, string> = {
  admin: "There is nobody to message yet. Clients and users appear here once they are approved.",
  client: "There is no admin to message at the moment.",
  user: "There is no admin to message at the moment.",
};
const NO_MATCH: Record<AccountType, string> = {
  admin: "No client or user with that name. You can message everyone whose account is active, except other admins.",
  client: "No admin with that name. You can message admins only.",
  user: "No admin with that name. You can message admins only.",
};

function groupsOf(people: readonly Person[]): PickerGroup[] {
  const group = (label: string, accountType: AccountType) => ({
    label,
    options: people
      .filter((person) => person.accountType === accountType)
      .map(({ id, name, profileImgLink }) => ({ value: id, label: name, avatar: profileImgLink })),
  });
  return [group("Clients", "client"), group("Users", "user"), group("Admins", "admin")].filter(
    ({ options }) => options.length > 0,
  );
}
