import type { ReactNode } from "react";
import { SidePanelTitle } from "@/ui/side-panel";

type TaskPageHeadProps = { title: ReactNode; status?: ReactNode; actions: ReactNode };

/** The bar of a task's page: key and status at the start, what can be done with it at the end. Stays in view. */
export function TaskPageHead({ title, status, actions }: TaskPageHeadProps) {
  return (
    <div
      data-field=""
      className="sticky top-0 z-10 flex min-h-14 shrink-0 flex-wrap items-center gap-x-2 border-line border-b bg-surface py-1.5 ps-4 pe-2 max-sm:gap-x-0.5 max-sm:ps-2 max-sm:pe-0 sm:pe-3"
    >
      {title}
      {status}
      <div className="ms-auto flex items-center gap-0.5 max-sm:gap-0">{actions}</div>
    </div>
  );
}

/** Names the sheet by the task's key and title, which stands below it. */
export function TaskKeyTitle({ taskKey, title }: { taskKey: string; title: string }) {
  return (
    <SidePanelTitle className="rounded-check px-1">
      <span className="whitespace-nowrap font-medium font-sans text-body text-ink2 tracking-normal">{taskKey}</span>{" "}
      <span className="sr-only">{title}</span>
    </SidePanelTitle>
  );
}
