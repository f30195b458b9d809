import type { CommitView, Project } from "@server/contract/views";
import { lazy, Suspense, useRef, useState } from "react";
import { flushSync } from "react-dom";
import { useMe } from "@/features/auth/use-auth";
import { Button } from "@/ui/button";
import { Skeleton } from "@/ui/skeleton";
import { COMMIT_VIEW_TITLE, describeCommitView } from "./commit-view-text";

const CommitViewForm = lazy(() => import("./commit-view-form").then((module) => ({ default: module.CommitViewForm })));

/** What the project's client sees of its commits; managers and admins change it here. */
export function CommitViewSettings({ project }: { project: Project }) {
  const me = useMe();
  const { commitView } = project;
  if (!commitView || !project.clientId) return null;
  const mayManage = me.accountType === "admin" || project.managers.includes(me.id);
  return (
    <section aria-label={COMMIT_VIEW_TITLE} className="mt-6 grid gap-2">
      <h3 className="text-reading">{COMMIT_VIEW_TITLE}</h3>
      <p className="text-ink2">{describeCommitView(commitView)}</p>
      {mayManage && <Changing project={project} commitView={commitView} />}
    </section>
  );
}

function Changing({ project, commitView }: { project: Project; commitView: CommitView }) {
  const [isOpen, setOpen] = useState(false);
  const opener = useRef<HTMLButtonElement>(null);
  function close(): void {
    flushSync(() => setOpen(false));
    opener.current?.focus();
  }
  if (isOpen) {
    return (
      <Suspense fallback={<Skeleton className="h-48 w-full" />}>
        <CommitViewForm project={project} commitView={commitView} onClose={close} />
      </Suspense>
    );
  }
  return (
    <Button ref={opener} size="sm" className="justify-self-start" onClick={() => setOpen(true)}>
      Change what the client sees
    </Button>
  );
}
