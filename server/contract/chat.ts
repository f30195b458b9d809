import * as z from "zod/mini";
import { DAY_MS } from "./days";
import { fileIdsSchema } from "./files";
import { CHAT_MESSAGES } from "./messages/chat";
import { TASK_MESSAGES } from "./messages/tasks";
import { idSchema, lineSchema, textSchema } from "./text";

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
 * `lastEventId` is the id of the last event received; the seq of a message does, and then every chip is sent again. Without it, and for a number that no message has yet, the stream begins
 * with the newest 50 messages.
 */
export const watchMessagesSchema = z.strictObject({
  conversationId: idSchema,
  lastEventId: z.nullish(z.string()),
});

/** `title`: of the task, whose description is the message's text. */
export const toTaskSchema = z.strictObject({
  messageId: idSchema,
  projectId: idSchema,
  title: lineSchema({ max: 200, required: TASK_MESSAGES.required, label: "Title" }),
});
export type ToTask = z.output<typeof toTaskSchema>;

/** A Date or an ISO-8601 instant to come; without it a cover ends when it is taken back. */
const untilSchema = z
  .pipe(
    z.union([z.date(), z.iso.datetime({ offset: true })], { error: CHAT_MESSAGES.untilPast }),
    z.transform((at) => new Date(at)),
  )
  .check(
    z.refine((at) => at.valueOf() > Date.now(), { error: CHAT_MESSAGES.untilPast }),
    z.refine((at) => at.valueOf() < Date.now() + 10 * 366 * DAY_MS, { error: "At most 10 years." }),
  );

/** `toUserId`: another active admin. */
export const handOverSchema = z.strictObject({
  conversationId: idSchema,
  toUserId: idSchema,
  until: z.optional(z.nullable(untilSchema)),
});
export type HandOver = z.output<typeof handOverSchema>;

export type StartConversation = z.output<typeof startConversationSchema>;
