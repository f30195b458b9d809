import type { Outbox as AppOutbox, Unsent } from "@/lib/outbox";
import { codeOf, isRefusal } from "@/lib/user-message";
import type { Operation } from "./history";
import type { Asked, Journal } from "./journal";

/** What is sent and how its entries are queued, as the app's outbox of the kind says. */
type Queues<Entry extends Unsent> = Pick<AppOutbox<Entry>, "keyOf" | "queueOf">;

/** A tab's unacknowledged messages or comments, oldest first. Outlives reloads. */
export interface Outbox<Entry extends Unsent> extends Queues<Entry> {
  entries(): readonly Entry[];
  add(entry: Entry): void;
  patch(key: string, patch: Pick<Unsent, "state">): void;
  drop(key: string): void;
  /** The page is gone: what was under way counts as lost. */
  unload(): void;
}

export function createOutbox<Entry extends Unsent>({ keyOf, queueOf }: Queues<Entry>): Outbox<Entry> {
  let entries: readonly Entry[] = [];
  return {
    keyOf,
    queueOf,
    entries: () => entries,
    add(entry) {
      entries = [...entries, entry];
    },
    patch(key, patch) {
      entries = entries.map((entry) => (keyOf(entry) === key ? { ...entry, ...patch } : entry));
    },
    drop(key) {
      entries = entries.filter((entry) => keyOf(entry) !== key);
    },
    unload() {
      entries = entries.map((entry) => (entry.state === "sending" ? { ...entry, state: "lost" } : entry));
    },
  };
}

/** How the entries of one kind are sent and recorded. */
export interface Sending<Entry, Stored> {
  /** Resolves to what is stored. */
  post(entry: Entry): Promise<Stored>;
  askedOf(entry: Entry): Asked;
  /** Where the server says it stored it. */
  answerOf(stored: Stored): Operation["answer"];
  journal: Journal;
}

interface DeliveryOptions<Entry extends Unsent, Stored> {
  outbox: Outbox<Entry>;
  sending: Sending<Entry, Stored>;
  signal: AbortSignal;
  onStored(stored: Stored): void;
  onChange(): void;
}

/**
 * Sends as the browser does: those of one queue one by one, in order. What has no answer is sent again with the same key while
 * those behind it wait; what is refused waits for its writer.
 */
export function createDelivery<Entry extends Unsent, Stored>(options: DeliveryOptions<Entry, Stored>) {
  const { outbox, sending, signal, onStored, onChange } = options;
  const { keyOf, queueOf } = outbox;
  const delivering = new Set<string>();

  async function deliver(queue: string): Promise<void> {
    if (delivering.has(queue)) return;
    delivering.add(queue);
    const next = () => outbox.entries().find((one) => queueOf(one) === queue && one.state === "sending");
    for (let entry = next(); entry && !signal.aborted; entry = next()) {
      const { outcome, stored } = await attempt(entry, sending);
      // The page has been left: the answer comes too late.
      if (signal.aborted) return;
      if (stored !== null) {
        onStored(stored);
        outbox.drop(keyOf(entry));
      } else fail(entry, outcome);
      onChange();
    }
    delivering.delete(queue);
  }

  function fail(entry: Entry, outcome: Operation["outcome"]): void {
    outbox.patch(keyOf(entry), { state: outcome === "failed" ? "refused" : "lost" });
    if (outcome === "failed") return;
    for (const one of outbox.entries()) {
      if (queueOf(one) === queueOf(entry) && one.state === "sending") outbox.patch(keyOf(one), { state: "lost" });
    }
  }

  return {
    send(entry: Entry): void {
      outbox.add(entry);
      void deliver(queueOf(entry));
      onChange();
    },
    /** Everything that reached no server. */
    retryLost(): void {
      const lost = outbox.entries().filter(({ state }) => state !== "refused");
      for (const entry of lost) outbox.patch(keyOf(entry), { state: "sending" });
      for (const queue of new Set(lost.map(queueOf))) void deliver(queue);
      onChange();
    },
  };
}

/** One recorded attempt. */
export async function attempt<Entry, Stored>(
  entry: Entry,
  { post, askedOf, answerOf, journal }: Sending<Entry, Stored>,
  mustFailWith: Operation["mustFailWith"] = null,
): Promise<{ outcome: Operation["outcome"]; stored: Stored | null }> {
  const done = journal.begin({ ...askedOf(entry), mustFailWith });
  try {
    const stored = await post(entry);
    done({ outcome: "ok", answer: answerOf(stored) });
    return { outcome: "ok", stored };
  } catch (error) {
    const outcome = isRefusal(error) ? "failed" : "unknown";
    done({ outcome, code: codeOf(error) ?? null });
    return { outcome, stored: null };
  }
}
