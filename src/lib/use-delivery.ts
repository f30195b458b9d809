import { useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { connectionState, watchConnection } from "./connection";
import type { Outbox, Unsent } from "./outbox";
import type { Delivery } from "./outbox-delivery";
import { trpc } from "./trpc";

/** By then the tab that wrote an entry has usually sent it. */
const HELP_AFTER_MS = 1_000;

type DeliveryLoader<Entry extends Unsent> = {
  outbox: Outbox<Entry>;
  /** Fetches the code that sends; called only when something is waiting. Must be stable between renders. */
  load: () => Promise<Delivery<Entry>>;
};

/**
 * Sends the person's outbox from any page: at once, when the connection or the network is back, and in place of another tab that
 * was closed while sending.
 */
export function useDelivery<Entry extends Unsent>(ownId: string, { outbox, load }: DeliveryLoader<Entry>): void {
  const utils = trpc.useUtils();
  const queryClient = useQueryClient();
  useEffect(() => {
    const sender = { ownId, utils, queryClient };
    async function run(how: "deliver" | "deliverAgain"): Promise<void> {
      if (!outbox.holdsAny(ownId)) return;
      const [code, delivery] = await Promise.all([import("./outbox-delivery"), load()]);
      await code[how](delivery, sender);
    }
    // A failed import loses nothing: the next reconnection tries again.
    const again = () => void run("deliverAgain").catch(() => {});
    let timer: ReturnType<typeof setTimeout> | undefined;
    function help(): void {
      clearTimeout(timer);
      timer = setTimeout(() => void run("deliver").catch(() => {}), HELP_AFTER_MS);
    }
    again();
    addEventListener("online", again);
    // Without Web Locks, each tab would send what another one is sending already.
    const stops = [
      watchConnection(() => connectionState() === "open" && again()),
      ...(navigator.locks ? [outbox.watchOtherTabs(ownId, help)] : []),
    ];
    return () => {
      removeEventListener("online", again);
      clearTimeout(timer);
      for (const stop of stops) stop();
    };
  }, [ownId, outbox, load, utils, queryClient]);
}
