import {
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
import { messagingProcedure, ownConversation } from "./procedures";
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

  onMessage: activeProcedure
    .input(watchMessagesSchema)
    .subscription(({ ctx, input, signal }) => watchMessages({ ctx, signal, ...input })),

  onInbox: activeProcedure.subscription(({ ctx, signal }) => watchInbox({ ctx, signal })),
});
