import { useLocation } from "@tanstack/react-router";
import type { ComponentProps } from "react";
import { useLinkPress } from "@/lib/after-paint";
import { cn } from "@/lib/cn";
import { stringifySearch } from "@/lib/search";
import { useOverlays } from "./use-overlays";

type TaskLinkProps = Pick<ComponentProps<"a">, "aria-label" | "className" | "title" | "tabIndex" | "children"> & {
  /** `HBP-3` */
  taskKey: string;
};

/** Opens the page of a task over the current page, once the press has been seen. */
export function TaskLink({ taskKey, className, ...rest }: TaskLinkProps) {
  const { openTask } = useOverlays();
  const pathname = useLocation({ select: (location) => location.pathname });
  const press = useLinkPress(() => openTask(taskKey));
  // In the calendar the entry is draggable, not its link.
  return (
    <a
      {...rest}
      {...press}
      className={cn(className, "data-pressed:bg-hover data-pressed:text-ink")}
      href={`${pathname}${stringifySearch({ task: taskKey })}`}
      draggable={false}
    />
  );
}
