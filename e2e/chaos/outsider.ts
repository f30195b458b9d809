import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { codeOf, isRefusal } from "@/lib/user-message";
import type { Journal } from "./journal";
import type { Page } from "./page";
import type { Random } from "./random";

const STREAM_TIMEOUT_MS = 3_000;

/** Calls one procedure on a conversation of others. Every answer but NOT_FOUND is a violation. */
export async function probe(
  { client }: Pick<Page, "client">,
  { conversationId, journal, random }: { conversationId: string; journal: Journal; random: Random },
): Promise<void> {
  const tries = {
    messages: () => client.chat.messages.query({ conversationId }),
    send: () => client.chat.send.mutate({ conversationId, text: "Let me in", clientMessageId: randomUUID() }),
    markRead: () => client.chat.markRead.mutate({ conversationId, upToSeq: 1 }),
    onMessage: () => firstEvent({ client }, conversationId),
  };
  const names = ["messages", "send", "markRead", "onMessage"] as const;
  const name = random.pick(names);
  const done = journal.begin({ operation: "probe", key: `${name} ${conversationId}`, mustFailWith: "NOT_FOUND" });
  try {
    const answer = await tries[name]();
    done({ outcome: answer === null ? "unknown" : "ok" });
  } catch (error) {
    done({ outcome: isRefusal(error) ? "failed" : "unknown", code: codeOf(error) ?? null });
  }
}

/** The first event of a conversation, or null if none came. Rejects with the refusal. */
async function firstEvent({ client }: Pick<Page, "client">, conversationId: string): Promise<unknown> {
  let stop = () => {};
  const first = new Promise<unknown>((resolve, reject) => {
    const stream = client.chat.onMessage.subscribe(
      { conversationId, lastEventId: "0" },
      { onData: resolve, onError: reject },
    );
    stop = () => stream.unsubscribe();
  });
  try {
    return await Promise.race([first, sleep(STREAM_TIMEOUT_MS, null, { ref: false })]);
  } finally {
    stop();
  }
}
