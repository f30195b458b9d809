import type { Task } from "@server/contract/views";
import { Link } from "@tanstack/react-router";
import { Lightbulb } from "lucide-react";
import { useMe } from "@/features/auth/use-auth";
import { homeOf } from "@/lib/landing";
import { useSteady } from "@/ui/steady";
import { useRequests } from "./use-requests";

type FromRequestProps = { task: Pick<Task, "id" | "projectId">; asClientId: string | undefined };

/** The request that a task was made of, for whoever sees the task; nothing for all others. */
export function FromRequest({ task: { id: taskId, projectId }, asClientId }: FromRequestProps) {
  const me = useMe();
  // It comes above all that is pressed on the page.
  const [request] = useSteady(useRequests({ projectId, taskId, asClientId }).data) ?? [];
  if (!request) return null;
  const page =
    asClientId === undefined
      ? { to: `${homeOf(me.accountType)}/requests` }
      : { to: "/admin/clients/$clientId", params: { clientId: asClientId } };
  return (
    <Link
      {...page}
      search={{ request: request.id }}
      className="-mx-1 flex min-h-6 w-fit max-w-full items-center gap-1.5 rounded-check px-1 py-1 text-dense text-ink2 hover:bg-hover hover:text-ink pointer-coarse:min-h-11"
    >
      <Lightbulb size={14} className="shrink-0 text-ink3" />
      <span className="shrink-0">From a request:</span>
      <bdi className="truncate">{request.title}</bdi>
    </Link>
  );
}
