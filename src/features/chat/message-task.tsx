import type { MessageChip } from "@server/contract/views";
import { statusMeta } from "@/features/projects/project-status";
import { TaskLink } from "@/features/projects/task-link";
import { Chip } from "@/ui/chip";

/** The task that a message became, as it is now: a link to its page. */
export function MessageTask({ chip: { key, status } }: { chip: MessageChip }) {
  const { tone, icon, label } = statusMeta(status);
  return (
    <TaskLink taskKey={key} className="relative rounded-pill after:absolute after:-inset-y-2.5 after:inset-x-0">
      <Chip tone={tone} icon={icon} label={`${key} · ${label}`} />
    </TaskLink>
  );
}
