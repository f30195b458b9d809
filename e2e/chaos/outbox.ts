import type { Message } from "@server/contract/views";
import type { UnsentMessage } from "@/features/chat/chat-cache";
import { codeOf, isRefusal } from "@/lib/user-message";
import { labelOf, type Operation } from "./history";
import type { Journal } from "./journal";

/** A tab's unacknowledged messages, oldest first. Outlives reloads. */
export interface Outbox {
  entries(): readonly UnsentMessage[];
  add(entry: UnsentMessage): void;
  patch(clientMessageId: string, patch: Partial<UnsentMessage>): void;
  drop(clientMessageId: string): void;
  /** The page is gone: messages under way count as lost. */
  unload(): void;
}

export function createOutbox(): Outbox {
  let entries: readonly UnsentMessage[] = [];
  return {
    entries: () => entries,
    add(entry) {
      entries = [...entries, entry];
    },
    patch(id, patch) {
      entries = entries.map((entry) => (entry.clientMessageId === id ? { ...entry, ...patch } : entry));
    },
    drop(id) {
      entries = entries.filter(({ clientMessageId }) => clientMessageId !== id);
    },
    unload() {
      entries = entries.map((entry) => (entry.state === "sending" ? { ...entry, state: "lost" } : entry));
    },
  };
}

/** Sends a message with `chat.start` or `chat.send`. Resolves to the stored message. */
type Post = (entry: UnsentMessage) => Promise<Message>;

interface DeliveryOptions {
  outbox: Outbox;
  post: Post;
  journal: Journal;
  signal: AbortSignal;
  /** The message is stored. */
  onStored(message: Message): void;
  onChange(): void;
}

/**
 * Sends as the browser does: to each partner one by one, in order. A message without an answer is sent again with the same key
 * while those behind it wait; a refused one waits for its writer.
 */
export function createDelivery({ outbox, post, journal, signal, onStored, onChange }: DeliveryOptions) {
  const delivering = new Set<string>();

  async function deliver(partnerId: string): Promise<void> {
    if (delivering.has(partnerId)) return;
    delivering.add(partnerId);
    const next = () => outbox.entries().find((one) => one.partnerId === partnerId && one.state === "sending");
    for (let entry = next(); entry && !signal.aborted; entry = next()) {
      const { clientMessageId } = entry;
      const { outcome, message } = await attempt(entry, { post, journal, mustFailWith: null });
      // The page has been left: the answer comes too late.
      if (signal.aborted) return;
      if (message) {
        onStored(message);
        outbox.drop(clientMessageId);
      } else fail(entry, outcome);
      onChange();
    }
    delivering.delete(partnerId);
  }

  function fail({ clientMessageId, partnerId }: UnsentMessage, outcome: Operation["outcome"]): void {
    outbox.patch(clientMessageId, { state: outcome === "failed" ? "refused" : "lost" });
    if (outcome === "failed") return;
    for (const one of outbox.entries()) {
      if (one.partnerId === partnerId && one.state === "sending") outbox.patch(one.clientMessageId, { state: "lost" });
    }
  }

  return {
    send(entry: UnsentMessage): void {
      outbox.add(entry);
      void deliver(entry.partnerId);
      onChange();
    },
    /** Everything that reached no server. */
    retryLost(): void {
      const lost = outbox.entries().filter(({ state }) => state !== "refused");
      for (const { clientMessageId } of lost) outbox.patch(clientMessageId, { state: "sending" });
      for (const partnerId of new Set(lost.map((one) => one.partnerId))) void deliver(partnerId);
      onChange();
    },
  };
}

/** One recorded attempt. */
export async function attempt(
  entry: UnsentMessage,
  { post, journal, mustFailWith }: Pick<DeliveryOptions, "post" | "journal"> & Pick<Operation, "mustFailWith">,
): Promise<{ outcome: Operation["outcome"]; message: Message | null }> {
  const done = journal.begin({
    operation: entry.conversationId === null ? "start" : "send",
    key: entry.clientMessageId,
    partnerId: entry.partnerId,
    label: labelOf(entry.text),
    mustFailWith,
  });
  try {
    const message = await post(entry);
    done({ outcome: "ok", answer: { conversationId: message.conversationId, seq: message.seq } });
    return { outcome: "ok", message };
  } catch (error) {
    const outcome = isRefusal(error) ? "failed" : "unknown";
    done({ outcome, code: codeOf(error) ?? null });
    return { outcome, message: null };
  }
}
