import { STATUS_LABELS } from "@server/contract/labels";
import type { LucideIcon } from "lucide-react";
import { CircleCheck, CircleDashed, CircleDot, CirclePause, CircleX } from "lucide-react";
import type { Tone } from "@/ui/tone";
import type { BoardTab } from "./board-names";

/** How a status looks and reads: never a colour without a shape and a word. */
export interface StatusMeta {
  tone: Tone;
  icon: LucideIcon;
  label: string;
}

const TO_DO: StatusMeta = { tone: "grey", icon: CircleDashed, label: STATUS_LABELS.todo };

/** The one status map of the app, for projects and tasks alike. Design 2.1, spec 4. */
const STATUS_META = new Map<string, StatusMeta>([
  ["todo", TO_DO],
  ["inProgress", { tone: "green", icon: CircleDot, label: STATUS_LABELS.inProgress }],
  ["active", { tone: "green", icon: CircleDot, label: "Active" }],
  ["completed", { tone: "blue", icon: CircleCheck, label: STATUS_LABELS.completed }],
  ["on-hold", { tone: "orange", icon: CirclePause, label: STATUS_LABELS["on-hold"] }],
  ["cancelled", { tone: "red", icon: CircleX, label: STATUS_LABELS.cancelled }],
]);

/** A status that nobody knows is grey and says its raw value; a missing one reads "To Do". */
export function statusMeta(status: string | null | undefined): StatusMeta {
  if (!status) return TO_DO;
  return STATUS_META.get(status) ?? { ...TO_DO, label: status };
}

/** Where a project stands: To Do takes in on-hold, cancelled and whatever else is neither under way nor done. */
export function tabOf(status: string): BoardTab {
  return status === "inProgress" || status === "completed" ? status : "todo";
}

/** Completed and cancelled projects are never late. */
export function isFinished(status: string): boolean {
  return status === "completed" || status === "cancelled";
}
