import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type { Unsubscribable } from "@trpc/server/observable";
import { codeOf, isRefusal } from "@/lib/user-message";
import type { Participant } from "./history";
import type { Journal } from "./journal";
import type { Page } from "./page";
import type { Random } from "./random";

const STREAM_TIMEOUT_MS = 3_000;

interface Probe {
  conversationId: string;
  taskIds: readonly string[];
  commentIds: readonly string[];
  person: Participant;
  journal: Journal;
  random: Random;
}

/** Calls one procedure on a conversation or a discussion of others. Every answer but NOT_FOUND is a violation. */
export async function probe({ client }: Pick<Page, "client">, aim: Probe): Promise<void> {
  const { conversationId, taskIds, commentIds, person, journal, random } = aim;
  const subject = { taskId: random.pick(taskIds) };
  const commentId = commentIds.length > 0 ? random.pick(commentIds) : randomUUID();
  const comment = { subject, text: "Let me in", visibility: "client", clientCommentId: randomUUID() } as const;
  const tries = {
    messages: () => client.chat.messages.query({ conversationId }),
    send: () => client.chat.send.mutate({ conversationId, text: "Let me in", clientMessageId: randomUUID() }),
    markRead: () => client.chat.markRead.mutate({ conversationId, upToSeq: 1 }),
    onMessage: () => firstEvent((on) => client.chat.onMessage.subscribe({ conversationId, lastEventId: "0" }, on)),
    comments: () => client.comments.list.query({ subject }),
    comment: () => client.comments.create.mutate(comment),
    editComment: () => client.comments.update.mutate({ commentId, text: "Mine" }),
    deleteComment: () => client.comments.delete.mutate({ commentId }),
    onComment: () => firstEvent((on) => client.comments.onChange.subscribe({ subject }, on)),
  };
  const ofChat = ["messages", "send", "markRead", "onMessage"] as const;
  const ofComments = ["comments", "comment", "editComment", "deleteComment", "onComment"] as const;
  // Admins may see every project.
  const name = random.pick(person.isClient ? [...ofChat, ...ofComments] : ofChat);
  const key = `${name} ${conversationId} ${subject.taskId} ${commentId}`;
  const done = journal.begin({ operation: "probe", key, mustFailWith: "NOT_FOUND" });
  try {
    const answer = await tries[name]();
    done({ outcome: answer === null ? "unknown" : "ok" });
  } catch (error) {
    done({ outcome: isRefusal(error) ? "failed" : "unknown", code: codeOf(error) ?? null });
  }
}

interface Handlers {
  onData(data: unknown): void;
  onError(error: unknown): void;
}

/** The first event of a stream, or null if none came. Rejects with the refusal. */
async function firstEvent(follow: (handlers: Handlers) => Unsubscribable): Promise<unknown> {
  let stop = () => {};
  const first = new Promise<unknown>((resolve, reject) => {
    const stream = follow({ onData: resolve, onError: reject });
    stop = () => stream.unsubscribe();
  });
  try {
    return await Promise.race([first, sleep(STREAM_TIMEOUT_MS, null, { ref: false })]);
  } finally {
    stop();
  }
}
