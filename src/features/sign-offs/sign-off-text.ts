import { SIGN_OFF_LABELS, type SignOffFormat } from "@server/contract/sign-off-text";
import type { SignOff } from "@server/contract/views";
import { CircleCheck, CircleMinus, Clock, type LucideIcon, MessageSquareWarning } from "lucide-react";
import { storedStatusMeta } from "@/features/projects/project-status";
import { formatDate, formatDay } from "@/lib/format";
import type { Tone } from "@/ui/tone";

/** The appearance of each state. */
export const SIGN_OFF_META: Record<SignOff["status"], { tone: Tone; icon: LucideIcon; label: string }> = {
  asked: { tone: "orange", icon: Clock, label: SIGN_OFF_LABELS.asked },
  approved: { tone: "green", icon: CircleCheck, label: SIGN_OFF_LABELS.approved },
  "changes-requested": { tone: "orange", icon: MessageSquareWarning, label: SIGN_OFF_LABELS["changes-requested"] },
  withdrawn: { tone: "grey", icon: CircleMinus, label: SIGN_OFF_LABELS.withdrawn },
};

/** How the browser writes a record: days of instants where the reader is. */
export const FORMAT: SignOffFormat = {
  status: (status) => storedStatusMeta(status).label,
  day: formatDay,
  instantDay: formatDate,
};
