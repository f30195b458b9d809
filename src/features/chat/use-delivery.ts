import { useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { connectionState, watchConnection } from "@/lib/connection";
import { trpc } from "@/lib/trpc";
import { holdsUnsent, onOtherTabsUnsent } from "./outbox";

/** By then the tab that wrote a message has usually sent it. */
const HELP_AFTER_MS = 1_000;

/**
 * Sends the person's outbox from any page: at once, when the connection or the network is back, and in place of another tab that
 * was closed while sending. Loads the sending code only when a message is waiting.
 */
export function useDelivery(ownId: string): void {
  const utils = trpc.useUtils();
  const queryClient = useQueryClient();
  useEffect(() => {
    const sender = { ownId, utils, queryClient };
    // A failed import loses nothing: the next reconnection tries again.
    const load = () => (holdsUnsent(ownId) ? import("./use-outbox").catch(() => null) : Promise.resolve(null));
    const again = () => void load().then((outbox) => outbox?.deliverAgain(sender));
    let timer: ReturnType<typeof setTimeout> | undefined;
    function help(): void {
      clearTimeout(timer);
      timer = setTimeout(() => void load().then((outbox) => outbox?.deliver(sender)), HELP_AFTER_MS);
    }
    again();
    window.addEventListener("online", again);
    // Without Web Locks, each tab would send what another one is sending already.
    const stops = [
      watchConnection(() => connectionState() === "open" && again()),
      ...(navigator.locks ? [onOtherTabsUnsent(ownId, help)] : []),
    ];
    return () => {
      window.removeEventListener("online", again);
      clearTimeout(timer);
      for (const stop of stops) stop();
    };
  }, [ownId, utils, queryClient]);
}
