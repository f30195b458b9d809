import { MESSAGES } from "@server/contract/messages";
import type { Message } from "@server/contract/views";
import { useEffect, useMemo } from "react";
import { onConnectionReturn } from "@/lib/connection";
import { trpc } from "@/lib/trpc";
import { isRefusal, messageOf } from "@/lib/user-message";
import { toast } from "@/ui/toast";
import { putConversation, type Unsent } from "./chat-cache";
import { addUnsent, dropUnsent, newMessageId, patchUnsent, unsentOf } from "./outbox";
import { useNoteMessage } from "./use-chat";

/** Partners to whom something is on its way: messages to one go one after the other, so that they keep their order. */
const delivering = new Set<string>();

type Api = ReturnType<typeof trpc.useUtils>;

/**
 * Sends what is written, one after the other to each partner. What found no server goes again, under the same key, when the
 * connection is back and when the page opens anew; what was refused waits for its writer. Nothing typed is lost.
 */
export function useOutbox(ownId: string) {
  const utils = trpc.useUtils();
  const noteMessage = useNoteMessage();
  const outbox = useMemo(() => {
    function deliver(partnerId: string): void {
      void deliverAll({ ownId, partnerId, utils, noteMessage });
    }
    return {
      send({ partnerId, conversationId, text }: Pick<Unsent, "partnerId" | "conversationId" | "text">): void {
        const clientMessageId = newMessageId();
        const writtenAt = new Date().toISOString();
        addUnsent(ownId, { clientMessageId, partnerId, conversationId, text, writtenAt, state: "sending" });
        deliver(partnerId);
      },
      retry(clientMessageId: string): void {
        const entry = unsentOf(ownId).find((one) => one.clientMessageId === clientMessageId);
        if (!entry) return;
        patchUnsent(ownId, clientMessageId, { state: "sending" });
        deliver(entry.partnerId);
      },
      remove: (clientMessageId: string) => dropUnsent(ownId, clientMessageId),
      /** Everything that found no server, or still stands in line because its writer was signed out. */
      retryLost(): void {
        const lost = unsentOf(ownId).filter(({ state }) => state !== "refused");
        for (const { clientMessageId } of lost) patchUnsent(ownId, clientMessageId, { state: "sending" });
        for (const partnerId of new Set(lost.map((one) => one.partnerId))) deliver(partnerId);
      },
    };
  }, [ownId, utils, noteMessage]);
  useEffect(() => {
    outbox.retryLost();
    window.addEventListener("online", outbox.retryLost);
    const stop = onConnectionReturn(outbox.retryLost);
    return () => {
      window.removeEventListener("online", outbox.retryLost);
      stop();
    };
  }, [outbox]);
  return outbox;
}

type Delivery = { ownId: string; partnerId: string; utils: Api; noteMessage: (message: Message) => void };

async function deliverAll(delivery: Delivery): Promise<void> {
  const { ownId, partnerId, utils } = delivery;
  const round = `${ownId} ${partnerId}`;
  if (delivering.has(round)) return;
  delivering.add(round);
  const next = () => unsentOf(ownId).find((one) => one.partnerId === partnerId && one.state === "sending");
  for (let entry = next(); entry; entry = next()) {
    // Somebody else may have signed in meanwhile: nothing goes out in their name.
    if (utils.auth.me.getData()?.id !== ownId) break;
    try {
      await deliverOne(entry, delivery);
    } catch (error) {
      fail(entry, error, delivery);
    }
  }
  delivering.delete(round);
}

async function deliverOne(entry: Unsent, { ownId, utils, noteMessage }: Delivery): Promise<void> {
  const { clientMessageId, conversationId, partnerId, text } = entry;
  if (conversationId === null) {
    const { conversation, message } = await utils.client.chat.start.mutate({
      recipientId: partnerId,
      text,
      clientMessageId,
    });
    noteMessage(message);
    utils.chat.conversations.setData(undefined, (list) => list && putConversation(list, conversation));
  } else {
    noteMessage(await utils.client.chat.send.mutate({ conversationId, text, clientMessageId }));
  }
  dropUnsent(ownId, clientMessageId);
}

function fail(entry: Unsent, error: unknown, { ownId, partnerId }: Delivery): void {
  const title = entry.conversationId === null ? MESSAGES.chat.startFailed : MESSAGES.chat.sendFailed;
  const isRefused = isRefusal(error);
  // It may have been deleted meanwhile.
  if (unsentOf(ownId).some(({ clientMessageId }) => clientMessageId === entry.clientMessageId)) {
    toast.error(title, { description: messageOf(error), atTop: true });
    patchUnsent(ownId, entry.clientMessageId, { state: isRefused ? "refused" : "lost" });
  }
  if (isRefused) return;
  // Those behind it would find no server either, or overtake it.
  for (const one of unsentOf(ownId)) {
    if (one.partnerId === partnerId && one.state === "sending") {
      patchUnsent(ownId, one.clientMessageId, { state: "lost" });
    }
  }
}
