import type { AccountStatus } from "@db/enums";
import { Check, Clock, type LucideIcon, Minus, X } from "lucide-react";
import { Chip } from "@/ui/chip";
import type { Tone } from "@/ui/tone";

const STATUS_META: Record<AccountStatus, { tone: Tone; icon: LucideIcon }> = {
  pending: { tone: "orange", icon: Clock },
  active: { tone: "green", icon: Check },
  inactive: { tone: "grey", icon: Minus },
  rejected: { tone: "red", icon: X },
};

/** The status of an account, in the word that is stored. */
export function AccountStatusChip({ status }: { status: AccountStatus }) {
  return <Chip {...STATUS_META[status]} label={status} />;
}
