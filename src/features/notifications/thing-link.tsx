import { layerOf, thingAddress } from "@server/contract/messages/notifications";
import type { Notification } from "@server/contract/views";
import { useParams, useRouter } from "@tanstack/react-router";
import type { ComponentProps, MouseEvent } from "react";
import { useMe } from "@/features/auth/use-auth";
import { useOverlays } from "@/features/projects/use-overlays";
import { isPlainClick } from "@/lib/after-paint";
import { type Home, homeOf } from "@/lib/landing";
import { useMarkRead } from "./use-notification-actions";

type ThingLinkProps = ComponentProps<"a"> & {
  /** All about one thing, newest first. */
  group: readonly [Notification, ...Notification[]];
};

/** Opens the thing that notifications are about, where it can over the page one is on, and marks them as read. */
export function ThingLink({ group, onClick, ...rest }: ThingLinkProps) {
  const router = useRouter();
  const markRead = useMarkRead();
  const { openTask, openModal } = useOverlays();
  const clientId = useParams({ strict: false, select: (params) => params.clientId });
  const { accountType } = useMe();
  // A client may be on the board, which has no requests for them.
  const isClientsRequest = accountType === "client" && group[0].subject.requestId;
  const shell = isClientsRequest ? "/client" : (shellOf(router.latestLocation.pathname) ?? homeOf(accountType));
  const address = thingAddress(group[0], shell);
  function open(event: MouseEvent<HTMLAnchorElement>): void {
    onClick?.(event);
    const ids = group.flatMap(({ id, readAt }) => (readAt === null ? [id] : []));
    if (ids.length > 0) markRead.mutate({ ids });
    if (!isPlainClick(event)) return;
    const layer = layerOf(group[0], shell);
    const task = layer && "task" in layer ? layer.task : undefined;
    // As the client whose portal an admin looks at, one may not see it, or not all of it.
    if (clientId !== undefined) void router.navigate({ href: task ? `/admin?task=${task}` : address });
    else if (task) openTask(task);
    else if (layer && "details" in layer) openModal("view", layer.details);
    else void router.navigate({ href: address });
  }
  return <a {...rest} href={address} onClick={open} />;
}

const SHELLS: Home[] = ["/dashboard", "/admin", "/client"];

/** The start page of the shell that a page belongs to; a sign-off belongs to none. */
function shellOf(pathname: string): Home | undefined {
  return SHELLS.find((shell) => pathname.startsWith(shell));
}
