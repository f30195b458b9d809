import { CHAT_MESSAGES } from "@server/contract/messages/chat";
import type { QueryClient } from "@tanstack/react-query";
import { codeOf, isRefusal, messageOf, sessionEndOf } from "@/lib/user-message";
import { toast } from "@/ui/toast";
import { putConversation, type Unsent } from "./chat-cache";
import { dropUnsent, patchUnsent, unsentOf, watchUnsent } from "./outbox";
import { noteMessage, type Utils } from "./use-chat";

/** Who sends, and through what. */
export interface Sender {
  ownId: string;
  utils: Utils;
  queryClient: QueryClient;
}

const FIRST_RETRY_MS = 5_000;
const MAX_RETRY_MS = 60_000;
/** Over a network that is gone a call may wait for many minutes, and those behind it with it. To send again is harmless. */
const SEND_TIMEOUT_MS = 20_000;

/** Partners to whom this tab is sending: messages to one go one after the other, so that they keep their order. */
const busy = new Set<string>();
/** Failures that this tab has told of, until the message is sent or given up, wherever that happens. */
const announced = new Set<string>();
let failures = 0;
let timer: ReturnType<typeof setTimeout> | undefined;

/** Sends what is on its way, in this tab or in another one that may have been closed meanwhile. */
export function deliver(sender: Sender): void {
  const waiting = unsentOf(sender.ownId).filter(({ state }) => state === "sending");
  for (const partnerId of new Set(waiting.map((entry) => entry.partnerId))) void deliverTo(partnerId, sender);
}

/** Sends also what found no server before. What was refused waits for its writer. */
export async function deliverAgain(sender: Sender): Promise<void> {
  const { ownId, utils } = sender;
  if (isEmpty(ownId) || utils.auth.me.getData()?.id !== ownId) return;
  // Another tab may have signed in somebody else, and this one may not have heard of it yet.
  const me = await utils.client.auth.me.query().catch(() => undefined);
  if (me === undefined) retryLater(sender);
  if (me?.id !== ownId) return;
  for (const { clientMessageId, state } of unsentOf(ownId)) {
    if (state === "lost") patchUnsent(ownId, clientMessageId, { state: "sending" });
  }
  deliver(sender);
}

/** One tab at a time where the browser can tell. Elsewhere two may send the same: the server takes it once, in the same order. */
async function deliverTo(partnerId: string, sender: Sender): Promise<void> {
  const round = `${sender.ownId} ${partnerId}`;
  if (busy.has(round)) return;
  busy.add(round);
  // Given up inside the lock: what is written between its end and the next line would find nobody to send it.
  const sendAll = () => sendInOrder(partnerId, sender).finally(() => busy.delete(round));
  await (navigator.locks ? navigator.locks.request(`outbox ${round}`, sendAll) : sendAll());
}

async function sendInOrder(partnerId: string, sender: Sender): Promise<void> {
  const { ownId, utils } = sender;
  const next = () => unsentOf(ownId).find((one) => one.partnerId === partnerId && one.state === "sending");
  for (let entry = next(); entry; entry = next()) {
    // Somebody else may have signed in meanwhile: nothing goes out in their name.
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
  const signal = AbortSignal.timeout(SEND_TIMEOUT_MS);
  if (conversationId === null) {
    const { conversation, message } = await utils.client.chat.start.mutate(
      { recipientId: partnerId, text, clientMessageId },
      { signal },
    );
    noteMessage(queryClient, message);
    utils.chat.conversations.setData(undefined, (list) => list && putConversation(list, conversation));
  } else {
    const message = await utils.client.chat.send.mutate({ conversationId, text, clientMessageId }, { signal });
    noteMessage(queryClient, message);
  }
  dropUnsent(ownId, clientMessageId);
}

function fail(entry: Unsent, error: unknown, sender: Sender): void {
  const { ownId, utils } = sender;
  const { clientMessageId, partnerId } = entry;
  const hasEnded = sessionEndOf(error) !== null;
  const isRefused = isRefusal(error) && !hasEnded && codeOf(error) !== "TOO_MANY_REQUESTS";
  // It may have been deleted meanwhile.
  const isThere = unsentOf(ownId).some((one) => one.clientMessageId === clientMessageId);
  const announces = isThere && !hasEnded && (isRefused || !entry.isAnnounced);
  if (announces) announceFailure(entry, error, ownId);
  patchUnsent(ownId, clientMessageId, {
    state: isRefused ? "refused" : "lost",
    isAnnounced: entry.isAnnounced === true || announces,
  });
  if (isRefused) {
    // The other one may not be written to any more, which the screen then says.
    void utils.chat.conversations.invalidate();
    void utils.chat.recipients.invalidate();
    return;
  }
  // Those behind it would find no server either, or overtake it.
  for (const one of unsentOf(ownId)) {
    if (one.partnerId === partnerId && one.state === "sending") {
      patchUnsent(ownId, one.clientMessageId, { state: "lost" });
    }
  }
  retryLater(sender);
}

/** Says it once, wherever its writer is by now, and takes it back when it is no longer true. */
function announceFailure({ clientMessageId, conversationId }: Unsent, error: unknown, ownId: string): void {
  const title = conversationId === null ? CHAT_MESSAGES.startFailed : CHAT_MESSAGES.sendFailed;
  toast.error(title, { description: messageOf(error), atTop: true, about: aboutOf(clientMessageId) });
  if (announced.has(clientMessageId)) return;
  announced.add(clientMessageId);
  const stop = watchUnsent(ownId, () => {
    const entry = unsentOf(ownId).find((one) => one.clientMessageId === clientMessageId);
    if (entry?.isAnnounced) return;
    toast.settle(aboutOf(clientMessageId));
    announced.delete(clientMessageId);
    stop();
  });
}

function aboutOf(clientMessageId: string): string {
  return `message ${clientMessageId}`;
}

/** A server that answers nobody's messages may answer again without the live connection ever having been lost. */
function retryLater(sender: Sender): void {
  clearTimeout(timer);
  timer = setTimeout(() => void deliverAgain(sender), Math.min(FIRST_RETRY_MS * 2 ** failures, MAX_RETRY_MS));
  failures += 1;
}

function isEmpty(ownId: string): boolean {
  return unsentOf(ownId).every(({ state }) => state === "refused");
}
