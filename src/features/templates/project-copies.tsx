import type { Project } from "@server/contract/views";
import { Copy, LayoutTemplate } from "lucide-react";
import { useState } from "react";
import { useMe } from "@/features/auth/use-auth";
import { mayManage } from "@/features/projects/project-people";
import { Button } from "@/ui/button";
import { DuplicateDialog } from "./duplicate-dialog";
import { useSaveAsTemplate } from "./use-templates";

type ProjectCopiesProps = {
  project: Project;
  size?: "sm" | undefined;
  onDuplicated?: ((project: Project) => void) | undefined;
};

/** Buttons that make another project of one: for whoever may edit it, and a template for its managers and admins. */
export function ProjectCopies({ project, size, onDuplicated = () => {} }: ProjectCopiesProps) {
  const me = useMe();
  const save = useSaveAsTemplate();
  const [isOpen, setOpen] = useState(false);
  function show(made: Project): void {
    setOpen(false);
    onDuplicated(made);
  }
  if (!project.canEdit) return null;
  return (
    <>
      <Button size={size} icon={<Copy size={16} />} onClick={() => setOpen(true)}>
        Duplicate
      </Button>
      {mayManage(me, project) && (
        <Button
          size={size}
          icon={<LayoutTemplate size={16} />}
          busy={save.isPending}
          busyLabel="Saving..."
          onClick={() => save.mutate({ projectId: project.id })}
        >
          Save as template
        </Button>
      )}
      <DuplicateDialog project={project} open={isOpen} onClose={() => setOpen(false)} onCreated={show} />
    </>
  );
}
