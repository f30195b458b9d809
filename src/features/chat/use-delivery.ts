import { useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { connectionState, watchConnection } from "@/lib/connection";
import { trpc } from "@/lib/trpc";
import { holdsUnsent, onOtherTabsUnsent } from "./outbox";

/** The tab in which something is written has mostly sent it by then. */
const HELP_AFTER_MS = 1_000;

/**
 * Sends what waits in the person's box, on whatever page they are: at once, and when the connection or the network is back;
 * and takes over what another tab was sending when it was closed. The code that does it is fetched when something waits.
 */
export function useDelivery(ownId: string): void {
  const utils = trpc.useUtils();
  const queryClient = useQueryClient();
  useEffect(() => {
    const sender = { ownId, utils, queryClient };
    // Without the code nothing is lost: the next return tries again.
    const load = () => (holdsUnsent(ownId) ? import("./delivery").catch(() => null) : Promise.resolve(null));
    const again = () => void load().then((delivery) => delivery?.deliverAgain(sender));
    let timer: ReturnType<typeof setTimeout> | undefined;
    function help(): void {
      clearTimeout(timer);
      timer = setTimeout(() => void load().then((delivery) => delivery?.deliver(sender)), HELP_AFTER_MS);
    }
    again();
    window.addEventListener("online", again);
    // Where the browser cannot keep tabs apart, each would send what the other one sends already.
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
