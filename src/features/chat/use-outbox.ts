import { CHAT_MESSAGES } from "@server/contract/messages/chat";
import { type QueryClient, useQueryClient } from "@tanstack/react-query";
import { useMemo } from "react";
import { newKey } from "@/lib/new-key";
import { trpc } from "@/lib/trpc";
import { codeOf, isRefusal, messageOf, sessionEndOf } from "@/lib/user-message";
import { toast } from "@/ui/toast";
import { putConversation, type Unsent } from "./chat-cache";
import { addUnsent, dropUnsent, patchUnsent, unsentOf, watchUnsent } from "./outbox";
import { putMessage, type Utils } from "./use-chat";

/** Who sends, and through what. */
interface Sender {
  ownId: string;
  utils: Utils;
  queryClient: QueryClient;
}

const FIRST_RETRY_MS = 5_000;
const MAX_RETRY_MS = 60_000;
/** Without a network a call may hang for minutes, and the messages behind it wait. Sending again is idempotent. */
const SEND_TIMEOUT_MS = 20_000;

/** Partners to whom this tab is sending. Messages to one partner are sent one by one, to keep their order. */
const busy = new Set<string>();
/** Messages whose failure this tab has announced, until any tab sends or deletes them. */
const announced = new Set<string>();
let failures = 0;
let timer: ReturnType<typeof setTimeout> | undefined;

/**
 * The person's outbox. Messages that reach no server are sent again by the page's `useDelivery`; refused ones wait for Retry or
 * Delete.
 */
export function useOutbox(ownId: string) {
  const utils = trpc.useUtils();
  const queryClient = useQueryClient();
  return useMemo(() => {
    const sender = { ownId, utils, queryClient };
    return {
      send({ partnerId, conversationId, text }: Pick<Unsent, "partnerId" | "conversationId" | "text">): void {
        const clientMessageId = newKey();
        const writtenAt = new Date().toISOString();
        addUnsent(ownId, { clientMessageId, partnerId, conversationId, text, writtenAt, state: "sending" });
        deliverAllTo(partnerId, sender);
      },
      retry(clientMessageId: string): void {
        const entry = unsentOf(ownId).find((one) => one.clientMessageId === clientMessageId);
        if (!entry) return;
        patchUnsent(ownId, clientMessageId, { state: "sending", isAnnounced: false });
        deliverAllTo(entry.partnerId, sender);
      },
      remove: (clientMessageId: string) => dropUnsent(ownId, clientMessageId),
    };
  }, [ownId, utils, queryClient]);
}

/** Sends earlier messages to that partner that reached no server first, so that none overtakes another. */
function deliverAllTo(partnerId: string, sender: Sender): void {
  markLostAsSending(sender.ownId, (entry) => entry.partnerId === partnerId);
  deliver(sender);
}

/** Sends what is marked as sending, by this tab or by one that has been closed since. */
export function deliver(sender: Sender): void {
  const waiting = unsentOf(sender.ownId).filter(({ state }) => state === "sending");
  for (const partnerId of new Set(waiting.map((entry) => entry.partnerId))) void deliverTo(partnerId, sender);
}

/** Also sends what reached no server before. Refused messages wait for Retry. */
export async function deliverAgain(sender: Sender): Promise<void> {
  const { ownId, utils } = sender;
  const hasNone = unsentOf(ownId).every(({ state }) => state === "refused");
  if (hasNone || utils.auth.me.getData()?.id !== ownId) return;
  // Another tab may have signed in somebody else, and this one may not know yet.
  const me = await utils.client.auth.me.query().catch(() => undefined);
  if (me === undefined) retryLater(sender);
  if (me?.id !== ownId) return;
  markLostAsSending(ownId, () => true);
  deliver(sender);
}

/** One tab at a time, through a Web Lock. Without locks two tabs may send the same message: the server stores it once. */
async function deliverTo(partnerId: string, sender: Sender): Promise<void> {
  const name = `${sender.ownId} ${partnerId}`;
  if (busy.has(name)) return;
  busy.add(name);
  // Cleared inside the lock: a message written between its end and the next line would not be sent.
  const sendAll = () => sendInOrder(partnerId, sender).finally(() => busy.delete(name));
  await (navigator.locks ? navigator.locks.request(`outbox ${name}`, sendAll) : sendAll());
}

async function sendInOrder(partnerId: string, sender: Sender): Promise<void> {
  const { ownId, utils } = sender;
  const next = () => unsentOf(ownId).find((one) => one.partnerId === partnerId && one.state === "sending");
  for (let entry = next(); entry; entry = next()) {
    // Somebody else may have signed in since: nothing is sent in their name.
    if (utils.auth.me.getData()?.id !== ownId) return;
    try {
      await send(entry, sender);
      failures = 0;
    } catch (error) {
      fail(entry, error, sender);
    }
  }
}

async function send(entry: Unsent, { ownId, utils, queryClient }: Sender): Promise<void> {
  const { clientMessageId, conversationId, partnerId, text } = entry;
  const { chat } = utils.client;
  const call = { signal: AbortSignal.timeout(SEND_TIMEOUT_MS) };
  if (conversationId === null) {
    const { conversation, message } = await chat.start.mutate({ recipientId: partnerId, text, clientMessageId }, call);
    putMessage(queryClient, message);
    utils.chat.conversations.setData(undefined, (list) => list && putConversation(list, conversation));
  } else putMessage(queryClient, await chat.send.mutate({ conversationId, text, clientMessageId }, call));
  dropUnsent(ownId, clientMessageId);
}

function fail(entry: Unsent, error: unknown, sender: Sender): void {
  const { ownId, utils } = sender;
  const { clientMessageId, partnerId } = entry;
  const hasEnded = sessionEndOf(error) !== null;
  const isRefused = isRefusal(error) && !hasEnded && codeOf(error) !== "TOO_MANY_REQUESTS";
  // It may have been deleted since.
  const isThere = unsentOf(ownId).some((one) => one.clientMessageId === clientMessageId);
  const announces = isThere && !hasEnded && (isRefused || !entry.isAnnounced);
  if (announces) announceFailure(entry, error, ownId);
  const isAnnounced = entry.isAnnounced === true || announces;
  patchUnsent(ownId, clientMessageId, { state: isRefused ? "refused" : "lost", isAnnounced });
  if (isRefused) {
    // The partner may be inactive now, which the screen then shows.
    void utils.chat.conversations.invalidate();
    void utils.chat.recipients.invalidate();
    return;
  }
  // The messages behind it would fail too, or overtake it.
  for (const one of unsentOf(ownId)) {
    if (one.partnerId === partnerId && one.state === "sending") {
      patchUnsent(ownId, one.clientMessageId, { state: "lost" });
    }
  }
  retryLater(sender);
}

/** Shows a toast once for each message, on any page. Dismissed when the message is sent or deleted. */
function announceFailure({ clientMessageId, conversationId }: Unsent, error: unknown, ownId: string): void {
  const title = conversationId === null ? CHAT_MESSAGES.startFailed : CHAT_MESSAGES.sendFailed;
  const about = `message ${clientMessageId}`;
  toast.error(title, { description: messageOf(error), atTop: true, about });
  if (announced.has(clientMessageId)) return;
  announced.add(clientMessageId);
  const stop = watchUnsent(ownId, () => {
    const entry = unsentOf(ownId).find((one) => one.clientMessageId === clientMessageId);
    if (entry?.isAnnounced) return;
    toast.settle(about);
    announced.delete(clientMessageId);
    stop();
  });
}

/** The server may recover without the live connection ever having been lost. */
function retryLater(sender: Sender): void {
  clearTimeout(timer);
  timer = setTimeout(() => void deliverAgain(sender), Math.min(FIRST_RETRY_MS * 2 ** failures, MAX_RETRY_MS));
  failures += 1;
}

function markLostAsSending(ownId: string, isMeant: (entry: Unsent) => boolean): void {
  for (const entry of unsentOf(ownId)) {
    if (entry.state === "lost" && isMeant(entry)) patchUnsent(ownId, entry.clientMessageId, { state: "sending" });
  }
}
