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
  /** In one pass: with a thousand entries, one by one keeps the process busy for seconds, which the check itself needs. */
  setState(which: (entry: Entry) => boolean, state: Unsent["state"]): void;
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
    setState(which, state) {
      entries = entries.map((entry) => (which(entry) ? { ...entry, state } : entry));
    },
    drop(key) {
      entries = entries.filter((entry) => keyOf(entry) !== key);
    },
    unload() {
      this.setState(({ state }) => state === "sending", "lost");
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
    if (outcome === "failed") outbox.setState((one) => keyOf(one) === keyOf(entry), "refused");
    else outbox.setState((one) => queueOf(one) === queueOf(entry) && one.state === "sending", "lost");
  }

  return {
    send(entry: Entry): void {
      outbox.add(entry);
      void deliver(queueOf(entry));
      onChange();
    },
    /** Everything that reached no server. */
    retryLost(): void {
      outbox.setState(({ state }) => state !== "refused", "sending");
      const waiting = outbox.entries().filter(({ state }) => state === "sending");
      for (const queue of new Set(waiting.map(queueOf))) void deliver(queue);
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
