import type { ProjectStatus } from "@db/enums";
import { STATUS_LABELS } from "@server/contract/labels";
import type { LucideIcon } from "lucide-react";
import { CircleCheck, CircleDashed, CircleDot, CirclePause, CircleX } from "lucide-react";
import type { Tone } from "@/ui/tone";
import type { BoardTab } from "./board-names";

/** The appearance of a status: never a colour without an icon and a label. */
export interface StatusMeta {
  tone: Tone;
  icon: LucideIcon;
  label: string;
}

const TO_DO: StatusMeta = { tone: "grey", icon: CircleDashed, label: STATUS_LABELS.todo };

/** The one status map of the app, for projects and tasks alike. Design 2.1, spec 4. */
const STATUS_META: Record<ProjectStatus, StatusMeta> = {
  todo: TO_DO,
  inProgress: { tone: "green", icon: CircleDot, label: STATUS_LABELS.inProgress },
  completed: { tone: "blue", icon: CircleCheck, label: STATUS_LABELS.completed },
  "on-hold": { tone: "orange", icon: CirclePause, label: STATUS_LABELS["on-hold"] },
  cancelled: { tone: "red", icon: CircleX, label: STATUS_LABELS.cancelled },
};

const KNOWN = new Map<string, StatusMeta>([
  ...Object.entries(STATUS_META),
  ["active", { ...STATUS_META.inProgress, label: "Active" }],
]);

export function statusMeta(status: ProjectStatus): StatusMeta {
  return storedStatusMeta(status);
}

/** Of a status that may be of another time: an unknown one is grey with its raw value, a missing one is "To Do". */
export function storedStatusMeta(status: string | null | undefined): StatusMeta {
  if (!status) return TO_DO;
  return KNOWN.get(status) ?? { ...TO_DO, label: status };
}

/** The tab of a status: To Do also holds on hold, cancelled and unknown ones. */
export function tabOf(status: ProjectStatus): BoardTab {
  return status === "inProgress" || status === "completed" ? status : "todo";
}

/** Completed and cancelled projects are never overdue. */
export function isFinished(status: ProjectStatus): boolean {
  return status === "completed" || status === "cancelled";
}
