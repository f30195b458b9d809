import { thingAddress } from "@server/contract/messages/notifications";
import type { Notification } from "@server/contract/views";
import { useRouter } from "@tanstack/react-router";
import type { ComponentProps, MouseEvent } from "react";
import { isPlainClick } from "@/lib/after-paint";
import { useMarkRead } from "./use-notifications";

type ThingLinkProps = ComponentProps<"a"> & {
  /** All about one thing, newest first. */
  group: readonly [Notification, ...Notification[]];
};

/** Opens the thing that notifications are about, and marks them as read. */
export function ThingLink({ group, onClick, ...rest }: ThingLinkProps) {
  const router = useRouter();
  const markRead = useMarkRead();
  const address = thingAddress(group[0], shellOf(router.latestLocation.pathname));
  function open(event: MouseEvent<HTMLAnchorElement>): void {
    onClick?.(event);
    const ids = group.flatMap(({ id, readAt }) => (readAt === null ? [id] : []));
    if (ids.length > 0) markRead.mutate({ ids });
    if (isPlainClick(event)) void router.navigate({ href: address });
  }
  return <a {...rest} href={address} onClick={open} />;
}

/** The start page of the shell that a page belongs to. */
function shellOf(pathname: string): "/dashboard" | "/admin" | "/client" {
  if (pathname.startsWith("/admin")) return "/admin";
  return pathname.startsWith("/client") ? "/client" : "/dashboard";
}
