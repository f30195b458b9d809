import {
  conversationIdSchema,
  listMessagesSchema,
  markReadSchema,
  sendMessageSchema,
  startConversationSchema,
  watchMessagesSchema,
} from "../contract/chat";
import { activeProcedure } from "../core/procedures";
import { router } from "../core/trpc";
import { listActivePeople } from "../users/queries";
import { watchInbox, watchMessages } from "./events";
import { markRead, sendMessage, startConversation } from "./mutations";
import { recipientTypes } from "./policy";
import { watchPresence } from "./presence";
import { messagingProcedure, ownConversation, typingProcedure } from "./procedures";
import { listConversations, listMessages } from "./queries";

export const chatRouter = router({
  /** One's own, the latest first. */
  conversations: activeProcedure.query(({ ctx }) => listConversations(ctx.db, { actor: ctx.actor })),

  /** Whom the caller may write to: admins to active clients and users, all others to active admins. */
  recipients: activeProcedure.query(({ ctx }) => listActivePeople(ctx.db, recipientTypes(ctx.actor))),

  /** A page, ascending by `seq`; without `before` the newest. */
  messages: activeProcedure
    .input(listMessagesSchema)
    .query(async ({ ctx, input: { conversationId, before, limit } }) => {
      const state = await ownConversation(ctx, conversationId);
      return listMessages(ctx.db, { state, before, limit, viewerId: ctx.actor.id });
    }),

  /** Writes the first message, in the conversation of the two if there is one already. */
  start: messagingProcedure
    .input(startConversationSchema)
    .mutation(({ ctx, input }) => startConversation(ctx.db, { ...input, by: ctx.actor })),

  /** Idempotent by `clientMessageId`: the same key and text answer with the message of the first time. */
  send: messagingProcedure
    .input(sendMessageSchema)
    .mutation(({ ctx, input }) => sendMessage(ctx.db, { ...input, by: ctx.actor })),

  /** Moves one's own read mark forward, never back. */
  markRead: activeProcedure.input(markReadSchema).mutation(async ({ ctx, input: { conversationId, upToSeq } }) => {
    const state = await ownConversation(ctx, conversationId);
    return markRead(ctx.db, { state, upToSeq, by: ctx.actor });
  }),

  /** Shows the other one for some seconds that one types; nothing is stored. */
  noteTyping: typingProcedure.input(conversationIdSchema).mutation(async ({ ctx, input }) => {
    const { id: conversationId } = await ownConversation(ctx, input.conversationId);
    ctx.presence.noteTyping({ conversationId, userId: ctx.actor.id });
    return { ok: true };
  }),

  /** Messages of one conversation and how far each has read, resumed after `lastEventId`. */
  onMessage: activeProcedure
    .input(watchMessagesSchema)
    .subscription(({ ctx, input, signal }) => watchMessages({ ctx, signal, ...input })),

  /** Conversations of one's own as they change. After an interruption the list is to be read again. */
  onInbox: activeProcedure.subscription(({ ctx, signal }) => watchInbox({ ctx, signal })),

  /** Who of the people one writes with is here now, and types. */
  onPresence: activeProcedure.subscription(({ ctx, signal }) => watchPresence({ ctx, signal })),
});
