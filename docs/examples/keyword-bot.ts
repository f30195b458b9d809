/*
 * A bot that answers a keyword in every conversation of its account; one stream tells it of all of them. It may be stopped
 * and started at any time, and the server too: no question is missed, since it goes on after its own read mark, and none is
 * answered twice, since the answer's `clientMessageId` follows from the question.
 *
 *   SANGAM_URL=https://sangam.example SANGAM_API_KEY=sgm_… npx tsx keyword-bot.ts
 */
import { createHash } from "node:crypto";
import { pathToFileURL } from "node:url";
import { type Client, type Conversation, createClient, isClientError, type Message } from "sangam/client";

export interface BotOptions {
  client: Client;
  /** In any case, anywhere in a message. */
  keyword: string;
  answer: (question: Message) => string;
  /** What could not be answered, such as a person who is not active any more; the bot goes on. */
  onTrouble: (error: unknown) => void;
}

/** Answers until it is stopped. Rejects when the key is refused. */
export async function startBot({ client, keyword, answer, onTrouble }: BotOptions): Promise<{ stop(): void }> {
  const me = await client.auth.me.query();
  /** Of each conversation one step after the other, and up to where it has been answered. */
  const work = new Map<string, Promise<number>>();

  function attend(conversation: Conversation): void {
    const { id, unreadCount, ownReadSeq } = conversation;
    if (unreadCount === 0) return;
    const before = work.get(id) ?? Promise.resolve(0);
    const next = before.then((answeredSeq) => catchUp(id, Math.max(answeredSeq, ownReadSeq)));
    work.set(
      id,
      next.catch((error: unknown) => {
        onTrouble(error);
        return ownReadSeq;
      }),
    );
  }

  async function catchUp(conversationId: string, answeredSeq: number): Promise<number> {
    const unread = await persist(() => readAfter(client, { conversationId, seq: answeredSeq }));
    for (const message of unread) {
      const isQuestion = message.senderId !== me?.id && message.text.toLowerCase().includes(keyword.toLowerCase());
      if (!isQuestion) continue;
      const reply = { conversationId, text: answer(message), clientMessageId: replyIdOf(message) };
      await persist(() => client.chat.send.mutate(reply)).catch(onTrouble);
    }
    const upToSeq = unread.at(-1)?.seq ?? answeredSeq;
    // Only now: a bot that is stopped before this line comes back to the same messages.
    await persist(() => client.chat.markRead.mutate({ conversationId, upToSeq }));
    return upToSeq;
  }

  const inbox = client.chat.onInbox.subscribe(undefined, {
    onData: ({ conversation }) => void (conversation && attend(conversation)),
    // What was written while nobody listened is in the list.
    onStarted: () =>
      void persist(() => client.chat.conversations.query()).then((all) => all.forEach(attend), onTrouble),
    onError: onTrouble,
  });
  return { stop: () => inbox.unsubscribe() };
}

/** All messages of a conversation past a number, in their order. */
async function readAfter(
  client: Client,
  { conversationId, seq }: { conversationId: string; seq: number },
): Promise<Message[]> {
  const found: Message[] = [];
  let before: number | null = null;
  do {
    const place: { before?: number } = before === null ? {} : { before };
    const page = await client.chat.messages.query({ conversationId, limit: 200, ...place });
    found.unshift(...page.items.filter((message) => message.seq > seq));
    const [oldest] = page.items;
    before = oldest && oldest.seq > seq + 1 ? page.nextCursor : null;
  } while (before !== null);
  return found;
}

/** The same for the same question, whoever computes it: a UUID of its hash. */
function replyIdOf({ id }: Message): string {
  const hash = createHash("sha256").update(`reply to ${id}`).digest("hex");
  return [
    hash.slice(0, 8),
    hash.slice(8, 12),
    `8${hash.slice(13, 16)}`,
    `8${hash.slice(17, 20)}`,
    hash.slice(20, 32),
  ].join("-");
}

/** Tries until the server has answered. It is safe to repeat: the server knows the message by its `clientMessageId`. */
async function persist<Answer>(call: () => Promise<Answer>): Promise<Answer> {
  for (let waitMs = 250; ; waitMs = Math.min(waitMs * 2, 30_000)) {
    try {
      return await call();
    } catch (error) {
      const passes = isClientError(error) && (error.kind === "connection" || error.code === "TOO_MANY_REQUESTS");
      if (!passes) throw error;
      await new Promise((resolve) => setTimeout(resolve, waitMs));
    }
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  const { SANGAM_URL: url = "", SANGAM_API_KEY: apiKey = "" } = process.env;
  const bot = await startBot({
    client: createClient({ url, apiKey, transport: "websocket" }),
    keyword: "office hours",
    answer: () => "We answer from Monday to Friday, 9 AM to 6 PM.",
    onTrouble: (error) => console.error(error instanceof Error ? error.message : error),
  });
  process.on("SIGINT", () => bot.stop());
}
