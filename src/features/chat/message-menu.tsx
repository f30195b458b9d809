import { Ellipsis, Lightbulb, ListChecks } from "lucide-react";
import { ActionMenu } from "@/ui/action-menu";
import { IconButton } from "@/ui/icon-button";
import type { MenuEntry } from "@/ui/menu-entry";

/** What a message can become. */
export type Making = "task" | "request";

type MessageMenuProps = { makes: readonly Making[]; onChoose: (making: Making) => void };

/** What can be done with a message. With a mouse it is there while the pointer or the focus is on the message; by touch always. */
export function MessageMenu({ makes, onChoose }: MessageMenuProps) {
  return (
    <ActionMenu
      label="Message actions"
      align="start"
      trigger={
        <IconButton
          icon={Ellipsis}
          label="Message actions"
          size="sm"
          className="-my-2 print:hidden pointer-fine:my-0 pointer-fine:not-focus-visible:not-group-hover/message:not-aria-expanded:opacity-0"
        />
      }
      entries={makes.map((making): MenuEntry => ({ ...ENTRIES[making], onSelect: () => onChoose(making) }))}
    />
  );
}

const ENTRIES = {
  task: { label: "Make a task…", icon: ListChecks },
  request: { label: "Make a request…", icon: Lightbulb },
};
