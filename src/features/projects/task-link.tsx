import { useLocation } from "@tanstack/react-router";
import type { ComponentProps, MouseEvent } from "react";
import { isPlainClick } from "@/lib/after-paint";
import { stringifySearch } from "@/lib/search";
import { useOverlays } from "./use-overlays";

type TaskLinkProps = Pick<ComponentProps<"a">, "aria-label" | "className" | "title" | "tabIndex" | "children"> & {
  /** `HBP-3` */
  taskKey: string;
};

/** Opens the page of a task over the current page. */
export function TaskLink({ taskKey, ...rest }: TaskLinkProps) {
  const { openTask } = useOverlays();
  const pathname = useLocation({ select: (location) => location.pathname });
  function open(event: MouseEvent<HTMLAnchorElement>): void {
    if (!isPlainClick(event)) return;
    openTask(taskKey);
  }
  // In the calendar the entry is draggable, not its link.
  return <a {...rest} href={`${pathname}${stringifySearch({ task: taskKey })}`} draggable={false} onClick={open} />;
}
