import type { SignOffFormat } from "@server/contract/sign-off-text";
import type { SignOff } from "@server/contract/views";
import { CircleCheck, CircleMinus, Clock, type LucideIcon, MessageSquareWarning } from "lucide-react";
import { storedStatusMeta } from "@/features/projects/project-status";
import { formatDate, formatDay } from "@/lib/format";
import type { Tone } from "@/ui/tone";

/** The appearance of each state. */
export const SIGN_OFF_META: Record<SignOff["status"], { tone: Tone; icon: LucideIcon; label: string }> = {
  asked: { tone: "orange", icon: Clock, label: "Waiting for approval" },
  approved: { tone: "green", icon: CircleCheck, label: "Approved" },
  "changes-requested": { tone: "orange", icon: MessageSquareWarning, label: "Changes requested" },
  withdrawn: { tone: "grey", icon: CircleMinus, label: "Withdrawn" },
};

/** How the browser writes a record: days of instants where the reader is. */
export const FORMAT: SignOffFormat = {
  status: (status) => storedStatusMeta(status).label,
  day: formatDay,
  instantDay: formatDate,
};

/** The name of somebody of a sign-off; the signer's as it stands in the record. */
export function nameIn({ people, record }: Pick<SignOff, "people" | "record">, id: string): string {
  if (id === record.signer.id) return record.signer.name;
  return people.find((person) => person.id === id)?.name ?? "Unknown User";
}

/** "The whole project", "1 task", "4 tasks". */
export function describeScope({ scope, tasks }: SignOff["record"]): string {
  if (scope === "project") return "The whole project";
  return tasks.length === 1 ? "1 task" : `${tasks.length} tasks`;
}
