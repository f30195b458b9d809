import type { Project } from "@server/contract/views";
import { Building2 } from "lucide-react";
import { cn } from "@/lib/cn";
import { VisuallyHidden } from "@/ui/visually-hidden";
import { clientName } from "./project-people";

type ClientLabelProps = { project: Pick<Project, "clientId" | "client" | "clientPeople">; className?: string };

/** A project's client with an icon; the icon is the word "Client" for a screen reader, which "No Client" has itself. */
export function ClientLabel({ project, className }: ClientLabelProps) {
  const further = project.clientPeople.length;
  return (
    <span className={cn("inline-flex min-w-0 items-center gap-1.5", className)}>
      <Building2 size={16} className="shrink-0" />
      {project.client && <VisuallyHidden>Client </VisuallyHidden>}
      <bdi className="truncate">{clientName(project)}</bdi>
      {further > 0 && (
        <span className="shrink-0 text-ink3" title={describeFurther(further)}>
          <span aria-hidden>+{further}</span>
          <VisuallyHidden>{` ${describeFurther(further)}`}</VisuallyHidden>
        </span>
      )}
    </span>
  );
}

function describeFurther(count: number): string {
  return count === 1 ? "and one colleague" : `and ${count} colleagues`;
}
