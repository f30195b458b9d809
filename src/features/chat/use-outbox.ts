import { useQueryClient } from "@tanstack/react-query";
import { useMemo } from "react";
import { newKey } from "@/lib/new-key";
import { trpc } from "@/lib/trpc";
import type { Unsent } from "./chat-cache";
import { deliver } from "./delivery";
import { addUnsent, dropUnsent, patchUnsent, unsentOf } from "./outbox";

/**
 * Sends what is written, one after the other to each partner. What finds no server goes again by itself (`useDelivery` of the
 * page), what was refused waits for its writer. Nothing typed is lost.
 */
export function useOutbox(ownId: string) {
  const utils = trpc.useUtils();
  const queryClient = useQueryClient();
  return useMemo(() => {
    /** With all that found no server before it: nothing overtakes. */
    function deliverTo(partnerId: string): void {
      for (const { clientMessageId, ...entry } of unsentOf(ownId)) {
        if (entry.partnerId === partnerId && entry.state === "lost") {
          patchUnsent(ownId, clientMessageId, { state: "sending" });
        }
      }
      deliver({ ownId, utils, queryClient });
    }
    return {
      send({ partnerId, conversationId, text }: Pick<Unsent, "partnerId" | "conversationId" | "text">): void {
        const clientMessageId = newKey();
        const writtenAt = new Date().toISOString();
        addUnsent(ownId, { clientMessageId, partnerId, conversationId, text, writtenAt, state: "sending" });
        deliverTo(partnerId);
      },
      retry(clientMessageId: string): void {
        const entry = unsentOf(ownId).find((one) => one.clientMessageId === clientMessageId);
        if (!entry) return;
        patchUnsent(ownId, clientMessageId, { state: "sending", isAnnounced: false });
        deliverTo(entry.partnerId);
      },
      remove: (clientMessageId: string) => dropUnsent(ownId, clientMessageId),
    };
  }, [ownId, utils, queryClient]);
}
