import type { AdminUser } from "@server/contract/views";
import { MailQuestionMark } from "lucide-react";
import { Chip } from "@/ui/chip";

/** On a person whose address nobody has confirmed; nothing for everyone else. */
export function UnconfirmedChip({ user: { id, emailVerified } }: { user: Pick<AdminUser, "id" | "emailVerified"> }) {
  if (emailVerified) return null;
  return (
    <span id={unconfirmedId(id)} className="block py-1">
      <Chip tone="orange" icon={MailQuestionMark} label="Email not confirmed" />
    </span>
  );
}

/** What the button that lets them in is described by. */
export function unconfirmedId(userId: string): string {
  return `unconfirmed-${userId}`;
}
