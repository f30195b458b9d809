import { STATUS_UPDATE_MESSAGES } from "@server/contract/messages/status-updates";
import type { Project } from "@server/contract/views";
import { lazy, Suspense, useRef, useState } from "react";
import { flushSync } from "react-dom";
import { useMe } from "@/features/auth/use-auth";
import { mayManage } from "@/features/projects/project-people";
import { useUpdateProject } from "@/features/projects/use-projects";
import { messageOf } from "@/lib/user-message";
import { Button } from "@/ui/button";
import { Checkbox } from "@/ui/checkbox";
import { Skeleton } from "@/ui/skeleton";
import { toast } from "@/ui/toast";
import { StatusUpdates } from "./status-updates";

const StatusUpdateForm = lazy(() =>
  import("./status-update-form").then((module) => ({ default: module.StatusUpdateForm })),
);

/** The status updates of a project for the team; its managers and admins write them here. */
export function TeamStatusUpdates({ project }: { project: Project }) {
  const me = useMe();
  return (
    <section aria-label="Status updates" className="grid gap-3">
      <h3 className="text-reading">Status updates</h3>
      <StatusUpdates projectId={project.id} empty={STATUS_UPDATE_MESSAGES.empty} />
      {mayManage(me, project) && <Writing project={project} />}
    </section>
  );
}

function Writing({ project }: { project: Project }) {
  const [isWriting, setWriting] = useState(false);
  const opener = useRef<HTMLButtonElement>(null);
  const update = useUpdateProject();
  // At once: what the mutation says of itself comes a moment later, and the box would jump back for it.
  const [chosen, setChosen] = useState<boolean | null>(null);
  const wanted = useRef<boolean | null>(null);
  function close(): void {
    flushSync(() => setWriting(false));
    opener.current?.focus();
  }
  /** One change after the other: each needs the version that the one before has made. */
  async function setReminder(next: boolean): Promise<void> {
    const isSaving = wanted.current !== null;
    wanted.current = next;
    setChosen(next);
    if (isSaving) return;
    try {
      let saved = project;
      while (saved.statusReminder !== wanted.current) {
        const { id: projectId, version } = saved;
        saved = await update.mutateAsync({ projectId, version, patch: { statusReminder: wanted.current } });
      }
    } catch (error) {
      toast.error("Failed to change the weekly reminder. Please try again.", { description: messageOf(error) });
    } finally {
      wanted.current = null;
      setChosen(null);
    }
  }
  return (
    <>
      {isWriting ? (
        <Suspense fallback={<Skeleton className="h-48 w-full" />}>
          <StatusUpdateForm projectId={project.id} onClose={close} />
        </Suspense>
      ) : (
        <Button ref={opener} size="sm" className="justify-self-start" onClick={() => setWriting(true)}>
          Write status update
        </Button>
      )}
      <div>
        <Checkbox
          label="Remind the managers every week"
          checked={chosen ?? project.statusReminder}
          onChange={({ target }) => void setReminder(target.checked)}
        />
        <p className="text-ink3 text-meta">{STATUS_UPDATE_MESSAGES.reminderHint}</p>
      </div>
    </>
  );
}
