import { Chip } from "@/ui/chip";
import { statusMeta } from "./project-status";

type StatusChipProps = { status: string | null | undefined; className?: string | undefined };

/** A status of a project or a task: shape, colour and word. */
export function StatusChip({ status, className }: StatusChipProps) {
  const { tone, icon, label } = statusMeta(status);
  return <Chip tone={tone} icon={icon} label={label} className={className} />;
}
