import type { Person } from "@server/contract/views";
import { SquarePen } from "lucide-react";
import { useState } from "react";
import { messageOf } from "@/lib/user-message";
import { Button } from "@/ui/button";
import { Picker, type PickerGroup } from "@/ui/picker";
import { useRecipients } from "./use-chat";

/** "New Message": whom one may write to, Clients and Users apart; for those who are no admins the admins. */
export function NewMessage({ onChoose }: { onChoose: (personId: string) => void }) {
  const [isOpen, setOpen] = useState(false);
  const recipients = useRecipients({ enabled: isOpen });
  return (
    <Picker
      label="Search people"
      trigger={<Button icon={<SquarePen size={16} className="sm:max-lg:hidden" />}>New Message</Button>}
      open={isOpen}
      onOpenChange={setOpen}
      groups={groupsOf(recipients.data ?? [])}
      notice={recipients.isPending ? "Loading people..." : recipients.isError ? messageOf(recipients.error) : undefined}
      emptyLabel="Nobody of that name"
      onChoose={onChoose}
    />
  );
}

function groupsOf(people: readonly Person[]): PickerGroup[] {
  const group = (label: string, accountType: Person["accountType"]) => ({
    label,
    options: people
      .filter((person) => person.accountType === accountType)
      .map(({ id, name, profileImgLink }) => ({ value: id, label: name, avatar: profileImgLink })),
  });
  return [group("Clients", "client"), group("Users", "user"), group("Admins", "admin")].filter(
    ({ options }) => options.length > 0,
  );
}
