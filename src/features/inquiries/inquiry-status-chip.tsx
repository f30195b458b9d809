import type { InquiryStatus } from "@db/enums";
import { INQUIRY_STATUS_LABELS } from "@server/contract/messages/inquiries";
import { Archive, CheckCheck, type LucideIcon, Mail } from "lucide-react";
import { Chip } from "@/ui/chip";
import type { Tone } from "@/ui/tone";

const STATUS_META: Record<InquiryStatus, { tone: Tone; icon: LucideIcon }> = {
  new: { tone: "orange", icon: Mail },
  answered: { tone: "green", icon: CheckCheck },
  closed: { tone: "grey", icon: Archive },
};

/** How an inquiry stands. */
export function InquiryStatusChip({ status }: { status: InquiryStatus }) {
  return <Chip {...STATUS_META[status]} label={INQUIRY_STATUS_LABELS[status]} />;
}
