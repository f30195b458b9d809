import * as z from "zod/mini";
import { fileIdsSchema } from "./files";
import { CHAT_MESSAGES } from "./messages/chat";
import { idSchema, textSchema } from "./text";

/** What the composer and the call validate with: 1 to 4,000 code points after trimming. */
export const messageTextSchema = textSchema({ max: 4_000, required: CHAT_MESSAGES.textRequired, label: "Message" });

/** A place in a conversation; numbers count from 1. */
const seqSchema = z.int().check(z.gte(0), z.lte(Number.MAX_SAFE_INTEGER));

export const conversationIdSchema = z.strictObject({ conversationId: idSchema });

/** `before` is exclusive; without it the newest. */
export const listMessagesSchema = z.strictObject({
  conversationId: idSchema,
  before: z.optional(seqSchema),
  limit: z.optional(z.int().check(z.gte(1), z.lte(200))),
});

/**
 * `clientMessageId` is made once per message by the sender's browser and kept through retries and reloads. `fileIds` are the sender's own
 * uploads, which nothing has attached yet.
 */
export const startConversationSchema = z.strictObject({
  recipientId: idSchema,
  text: messageTextSchema,
  clientMessageId: idSchema,
  fileIds: z.optional(fileIdsSchema),
});

export const sendMessageSchema = z.strictObject({
  conversationId: idSchema,
  text: messageTextSchema,
  clientMessageId: idSchema,
  fileIds: z.optional(fileIdsSchema),
});

export const markReadSchema = z.strictObject({ conversationId: idSchema, upToSeq: seqSchema });

/**
 * `lastEventId` is the seq of the last message received. Without it, and for a number that no message has yet, the stream begins
 * with the newest 50 messages.
 */
export const watchMessagesSchema = z.strictObject({
  conversationId: idSchema,
  lastEventId: z.nullish(z.string()),
});

export type StartConversation = z.output<typeof startConversationSchema>;
