import type { Project } from "@server/contract/views";
import { lazy } from "react";
import { useMe } from "@/features/auth/use-auth";
import { isClientOf, mayRequest } from "@/features/projects/project-roles";
import { useProjects } from "@/features/projects/use-projects";
import { messageOf } from "@/lib/user-message";
import { Dialog } from "@/ui/dialog";
import { ErrorState } from "@/ui/error-state";
import { Skeleton } from "@/ui/skeleton";
import { MakeTaskForm } from "./make-task-form";
import type { Making } from "./message-menu";
import type { ThreadMessage } from "./thread";
import type { ThreadPeople } from "./thread-people";

const NewRequestForm = lazy(() =>
  import("@/features/requests/new-request-form").then((module) => ({ default: module.NewRequestForm })),
);

type MakeOfMessageProps = {
  making: Making;
  message: ThreadMessage;
  partner: ThreadPeople["partner"];
  onClose: () => void;
};

/** The dialog that makes a task or a request of a message, in one of the projects where the reader may. */
export function MakeOfMessage({ making, message, partner, onClose }: MakeOfMessageProps) {
  const { accountType } = useMe();
  const query = useProjects({ scope: accountType === "admin" ? "all" : "mine" });
  const mayUse = (project: Project) => {
    if (making === "task") return project.canEdit;
    return mayRequest(project, accountType) && (accountType === "client" || isClientOf(project, partner.id));
  };
  const projects = query.data?.items.filter(mayUse) ?? [];
  if (projects.length === 0) {
    return (
      <Dialog open size="sm" onOpenChange={(next) => !next && onClose()} title={TITLES[making]}>
        {query.data ? (
          <p>{making === "task" ? NO_PROJECT : `${partner.name} is not the client of any project you see.`}</p>
        ) : query.isError ? (
          <ErrorState message={messageOf(query.error)} busy={query.isFetching} onRetry={() => void query.refetch()} />
        ) : (
          <Skeleton className="h-24" />
        )}
      </Dialog>
    );
  }
  const { id, text } = message;
  if (making === "task")
    return <MakeTaskForm message={message} partner={partner} projects={projects} onClose={onClose} />;
  return (
    <NewRequestForm
      open
      projects={projects}
      message={id === null ? undefined : { id, text }}
      onClose={onClose}
      onCreated={onClose}
    />
  );
}

const TITLES: Record<Making, string> = { task: "Make a task", request: "New request" };
const NO_PROJECT = "You don't have a project you can change yet.";
