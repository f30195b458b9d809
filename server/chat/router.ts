import {
  conversationIdSchema,
  listMessagesSchema,
  markReadSchema,
  sendMessageSchema,
  startConversationSchema,
  watchMessagesSchema,
} from "../contract/chat";
import { plain } from "../core/plain";
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
  conversations: activeProcedure.query(async ({ ctx }) => plain(await listConversations(ctx.db, { actor: ctx.actor }))),

  recipients: activeProcedure.query(async ({ ctx }) =>
    plain(await listActivePeople(ctx.db, recipientTypes(ctx.actor))),
  ),

  messages: activeProcedure
    .input(listMessagesSchema)
    .query(async ({ ctx, input: { conversationId, before, limit } }) => {
      const standing = await ownConversation(ctx, conversationId);
      return plain(await listMessages(ctx.db, { standing, before, limit, viewerId: ctx.actor.id }));
    }),

  start: messagingProcedure
    .input(startConversationSchema)
    .mutation(async ({ ctx, input }) => plain(await startConversation(ctx.db, { ...input, by: ctx.actor }))),

  send: messagingProcedure
    .input(sendMessageSchema)
    .mutation(async ({ ctx, input }) => plain(await sendMessage(ctx.db, { ...input, by: ctx.actor }))),

  markRead: activeProcedure.input(markReadSchema).mutation(async ({ ctx, input: { conversationId, upToSeq } }) => {
    const standing = await ownConversation(ctx, conversationId);
    return markRead(ctx.db, { standing, upToSeq, by: ctx.actor });
  }),

  noteTyping: typingProcedure.input(conversationIdSchema).mutation(async ({ ctx, input }) => {
    const { id: conversationId } = await ownConversation(ctx, input.conversationId);
    ctx.presence.noteTyping({ conversationId, userId: ctx.actor.id });
    return { ok: true };
  }),

  onMessage: activeProcedure
    .input(watchMessagesSchema)
    .subscription(({ ctx, input, signal }) => watchMessages({ ctx, signal, ...input })),

  onInbox: activeProcedure.subscription(({ ctx, signal }) => watchInbox({ ctx, signal })),

  onPresence: activeProcedure.subscription(({ ctx, signal }) => watchPresence({ ctx, signal })),
});
