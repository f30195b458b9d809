import type { ProjectStatus } from "@db/enums";
import { Chip } from "@/ui/chip";
import { statusMeta } from "./project-status";

type StatusChipProps = { status: ProjectStatus; className?: string | undefined };

/** The status of a project or a task: icon, colour and label. */
export function StatusChip({ status, className }: StatusChipProps) {
  const { tone, icon, label } = statusMeta(status);
  return <Chip tone={tone} icon={icon} label={label} className={className} />;
}
