import { type QueryClient, useQueryClient } from "@tanstack/react-query";
import { useMemo } from "react";
import { announce } from "@/ui/announce";
import { toast } from "@/ui/toast";
import type { Outbox, Unsent } from "./outbox";
import { trpc } from "./trpc";
import { codeOf, fieldErrorsOf, isRefusal, messageOf, reasonOf, sessionEndOf } from "./user-message";

/** Who sends, and through what. */
export interface Sender {
  ownId: string;
  utils: ReturnType<typeof trpc.useUtils>;
  queryClient: QueryClient;
}

type DeliveryOptions<Entry extends Unsent> = {
  outbox: Outbox<Entry>;
  /** Sends one and shows what the server stored. */
  send: (entry: Entry, sender: Sender, call: { signal: AbortSignal }) => Promise<unknown>;
  /** The title of the toast about one that failed. */
  failureOf: (entry: Entry) => string;
  /** The server refused it: what the screen shows may be out of date. */
  onRefused: (entry: Entry, sender: Sender) => void;
};

/** How the entries of one outbox reach the server. */
export interface Delivery<Entry extends Unsent> extends DeliveryOptions<Entry> {
  /** Queues that this tab is sending, by owner. */
  busy: Set<string>;
  /** Entries whose failure this tab has announced, until any tab sends or deletes them. */
  announced: Set<string>;
  failures: number;
  timer: ReturnType<typeof setTimeout> | undefined;
}

const FIRST_RETRY_MS = 5_000;
const MAX_RETRY_MS = 60_000;
/** Without a network a call may hang for minutes, and the entries behind it wait. Sending again is idempotent. */
const SEND_TIMEOUT_MS = 20_000;

/** Made once for each outbox, in a file that is loaded when something waits. */
export function createDelivery<Entry extends Unsent>(options: DeliveryOptions<Entry>): Delivery<Entry> {
  return { ...options, busy: new Set(), announced: new Set(), failures: 0, timer: undefined };
}

/**
 * The person's outbox. Entries that reach no server are sent again by the page's `useDelivery`; refused ones wait for Retry or
 * Delete.
 */
export function useOutbox<Entry extends Unsent>(delivery: Delivery<Entry>, ownId: string) {
  const utils = trpc.useUtils();
  const queryClient = useQueryClient();
  return useMemo(() => {
    const { outbox } = delivery;
    const sender = { ownId, utils, queryClient };
    return {
      send(entry: Entry): void {
        outbox.add(ownId, entry);
        deliverQueue(delivery, outbox.queueOf(entry), sender);
      },
      retry(key: string): void {
        const entry = outbox.find(ownId, key);
        if (!entry) return;
        outbox.patch(ownId, key, { state: "sending", isAnnounced: false, refusal: undefined, isFinal: undefined });
        deliverQueue(delivery, outbox.queueOf(entry), sender);
      },
      remove: (key: string) => outbox.remove(ownId, key),
    };
  }, [delivery, ownId, utils, queryClient]);
}

/** Sends earlier entries of that queue that reached no server first, so that none overtakes another. */
function deliverQueue<Entry extends Unsent>(delivery: Delivery<Entry>, queue: string, sender: Sender): void {
  markLostAsSending(delivery, sender.ownId, queue);
  deliver(delivery, sender);
}

/** Sends what is marked as sending, by this tab or by one that has been closed since. */
export function deliver<Entry extends Unsent>(delivery: Delivery<Entry>, sender: Sender): void {
  const waiting = delivery.outbox.entriesOf(sender.ownId).filter(({ state }) => state === "sending");
  for (const queue of new Set(waiting.map(delivery.outbox.queueOf))) void sendQueue(delivery, queue, sender);
}

/** Also sends what reached no server before. Refused entries wait for Retry. */
export async function deliverAgain<Entry extends Unsent>(delivery: Delivery<Entry>, sender: Sender): Promise<void> {
  const { ownId, utils } = sender;
  const hasNone = delivery.outbox.entriesOf(ownId).every(({ state }) => state === "refused");
  if (hasNone || utils.auth.me.getData()?.id !== ownId) return;
  // Another tab may have signed in somebody else, and this one may not know yet.
  const me = await utils.client.auth.me.query().catch(() => undefined);
  if (me === undefined) retryLater(delivery, sender);
  if (me?.id !== ownId) return;
  markLostAsSending(delivery, ownId);
  deliver(delivery, sender);
}

/** One tab at a time, through a Web Lock. Without locks two tabs may send the same entry: the server stores it once. */
async function sendQueue<Entry extends Unsent>(delivery: Delivery<Entry>, queue: string, sender: Sender) {
  const { busy, outbox } = delivery;
  const name = `${sender.ownId} ${queue}`;
  if (busy.has(name)) return;
  busy.add(name);
  // Cleared inside the lock: what is written between its end and the next line would not be sent.
  const sendAll = () => sendInOrder(delivery, queue, sender).finally(() => busy.delete(name));
  await (navigator.locks ? navigator.locks.request(`${outbox.name} ${name}`, sendAll) : sendAll());
}

async function sendInOrder<Entry extends Unsent>(delivery: Delivery<Entry>, queue: string, sender: Sender) {
  const { outbox } = delivery;
  const { ownId, utils } = sender;
  const next = () => outbox.entriesOf(ownId).find((one) => outbox.queueOf(one) === queue && one.state === "sending");
  for (let entry = next(); entry; entry = next()) {
    // Somebody else may have signed in since: nothing is sent in their name.
    if (utils.auth.me.getData()?.id !== ownId) return;
    try {
      await delivery.send(entry, sender, { signal: AbortSignal.timeout(SEND_TIMEOUT_MS) });
      outbox.remove(ownId, outbox.keyOf(entry));
      delivery.failures = 0;
    } catch (error) {
      fail(delivery, { entry, error, sender });
    }
  }
}

type Failed<Entry> = { entry: Entry; error: unknown; sender: Sender };

function fail<Entry extends Unsent>(delivery: Delivery<Entry>, failed: Failed<Entry>): void {
  const { outbox } = delivery;
  const { entry, error, sender } = failed;
  const { ownId } = sender;
  const key = outbox.keyOf(entry);
  const hasEnded = sessionEndOf(error) !== null;
  const isRefused = isRefusal(error) && !hasEnded && codeOf(error) !== "TOO_MANY_REQUESTS";
  // It may have been deleted since.
  const isThere = outbox.find(ownId, key) !== undefined;
  const announces = isThere && !hasEnded && (isRefused || !entry.isAnnounced);
  if (announces) announceFailure(delivery, { ...failed, isRefused });
  const isAnnounced = entry.isAnnounced === true || announces;
  const refused = { state: "refused", refusal: reasonTextOf(error), isFinal: isAboutContent(error) } as const;
  outbox.patch(ownId, key, { ...(isRefused ? refused : { state: "lost" }), isAnnounced });
  if (isRefused) {
    delivery.onRefused(entry, sender);
    return;
  }
  // The entries behind it would fail too, or overtake it.
  for (const one of outbox.entriesOf(ownId)) {
    if (outbox.queueOf(one) === outbox.queueOf(entry) && one.state === "sending") {
      outbox.patch(ownId, outbox.keyOf(one), { state: "lost" });
    }
  }
  retryLater(delivery, sender);
}

/** What is wrong with a field, where the server says that; else its sentence. */
function reasonTextOf(error: unknown): string {
  return Object.values(fieldErrorsOf(error))[0] ?? messageOf(error);
}

/** Refused for what is in it, whoever asks and whenever; other refusals, such as of a place that is closed now, may pass. */
function isAboutContent(error: unknown): boolean {
  const isOfKeyOrFile = ["key-taken", "already-attached"].includes(reasonOf(error) ?? "");
  return isOfKeyOrFile || ["BAD_REQUEST", "PAYLOAD_TOO_LARGE"].includes(codeOf(error) ?? "");
}

/** Shows a toast once for each entry, on any page. Dismissed when the entry is sent or deleted. */
function announceFailure<Entry extends Unsent>(
  delivery: Delivery<Entry>,
  { entry, error, sender, isRefused }: Failed<Entry> & { isRefused: boolean },
) {
  const { outbox, announced } = delivery;
  const key = outbox.keyOf(entry);
  const about = `unsent ${key}`;
  const reason = reasonTextOf(error);
  const saysItself = isRefused && document.querySelector(`[data-unsent="${CSS.escape(key)}"]`) !== null;
  if (saysItself) announce(reason);
  toast.error(delivery.failureOf(entry), { description: saysItself ? undefined : reason, atTop: true, about });
  if (announced.has(key)) return;
  announced.add(key);
  const stop = outbox.watch(sender.ownId, () => {
    if (outbox.find(sender.ownId, key)?.isAnnounced) return;
    toast.settle(about);
    announced.delete(key);
    stop();
  });
}

/** The server may recover without the live connection ever having been lost. */
function retryLater<Entry extends Unsent>(delivery: Delivery<Entry>, sender: Sender): void {
  clearTimeout(delivery.timer);
  const waitMs = Math.min(FIRST_RETRY_MS * 2 ** delivery.failures, MAX_RETRY_MS);
  delivery.timer = setTimeout(() => void deliverAgain(delivery, sender), waitMs);
  delivery.failures += 1;
}

/** Those of one queue, or of all. */
function markLostAsSending<Entry extends Unsent>({ outbox }: Delivery<Entry>, ownId: string, queue?: string): void {
  for (const entry of outbox.entriesOf(ownId)) {
    if (entry.state !== "lost" || (queue !== undefined && outbox.queueOf(entry) !== queue)) continue;
    outbox.patch(ownId, outbox.keyOf(entry), { state: "sending" });
  }
}
