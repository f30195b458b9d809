import {
  conversationIdSchema,
  handOverSchema,
  listMessagesSchema,
  markReadSchema,
  sendMessageSchema,
  startConversationSchema,
  toTaskSchema,
  watchMessagesSchema,
} from "../contract/chat";
import { resumeSchema } from "../contract/text";
import { activeProcedure, activeProcedureCountedAs, adminProcedure, employeeProcedure } from "../core/procedures";
import { router } from "../core/trpc";
import { openStream } from "../realtime/stream";
import { listActivePeople } from "../users/queries";
import { makeTaskOfMessage } from "./conversion";
import { handOver, listOrphanedConversations, takeBack } from "./covers";
import { inboxSource, messageSource } from "./events";
import { markRead, sendMessage, settleTurn, startConversation } from "./mutations";
import { recipientTypes } from "./policy";
import { presenceSource } from "./presence";
import { getConversationState, listConversations, listMessages } from "./queries";

/** For calls that write messages: a rate limit of their own, stricter than that of other mutations. */
const messagingProcedure = activeProcedureCountedAs("message");
/** For typing notes: frequent calls that store nothing. */
const typingProcedure = activeProcedureCountedAs("typing");

export const chatRouter = router({
  /** The caller's own conversations, newest first. */
  conversations: activeProcedure.query(({ ctx: { db, ...asked } }) => listConversations(db, asked)),

  /** People the caller may write to: active clients and users for admins, active admins for all others. */
  recipients: activeProcedure.query(({ ctx }) => listActivePeople(ctx.db, recipientTypes(ctx.actor))),

  /** A page of messages, ascending by `seq`. Without `before` the newest. */
  messages: activeProcedure
    .input(listMessagesSchema)
    .query(async ({ ctx, input: { conversationId, before, limit } }) => {
      const state = await getConversationState(ctx.db, { id: conversationId, actor: ctx.actor });
      return listMessages(ctx.db, { state, before, limit, viewer: ctx.actor });
    }),

  /** Makes a message a task of a project that the caller may change; its text becomes the description. */
  toTask: employeeProcedure
    .input(toTaskSchema)
    .mutation(({ ctx, input }) => makeTaskOfMessage(ctx.db, { ...input, by: ctx.actor })),

  /** Lets another admin cover a conversation: one's own, or one of somebody who is no active admin any more. */
  handOver: adminProcedure
    .input(handOverSchema)
    .mutation(({ ctx, input }) => handOver(ctx.db, { ...input, by: ctx.actor })),

  /** Ends the cover of a conversation. */
  takeBack: adminProcedure
    .input(conversationIdSchema)
    .mutation(({ ctx, input }) => takeBack(ctx.db, { ...input, by: ctx.actor })),

  /** Conversations of those who are no active admins any more, deactivated or of another type now: who they are between, and nothing that was said. */
  ofInactiveAdmins: adminProcedure.query(({ ctx }) => listOrphanedConversations(ctx.db)),

  /** Writes a first message to a person, in the existing conversation of the two if there is one. */
  start: messagingProcedure
    .input(startConversationSchema)
    .mutation(({ ctx, input }) => startConversation(ctx.db, { ...input, by: ctx.actor, timeZone: ctx.timeZone })),

  /** Idempotent by `clientMessageId`: the same key, text and files return the first message. */
  send: messagingProcedure
    .input(sendMessageSchema)
    .mutation(({ ctx, input }) => sendMessage(ctx.db, { ...input, by: ctx.actor })),

  /** Moves the caller's own read mark forward, never back. */
  markRead: activeProcedure.input(markReadSchema).mutation(async ({ ctx, input: { conversationId, upToSeq } }) => {
    const state = await getConversationState(ctx.db, { id: conversationId, actor: ctx.actor });
    return markRead(ctx.db, { state, upToSeq, by: ctx.actor });
  }),

  /**
   * Admins: nobody owes an answer to what was written so far, such as a "Thanks!". `upToSeq` is the newest message that was shown;
   * when there is a newer one, nothing changes: 409, `stale-version`.
   */
  settleTurn: adminProcedure.input(markReadSchema).mutation(async ({ ctx, input }): Promise<{ ok: true }> => {
    await settleTurn(ctx.db, { ...input, by: ctx.actor });
    return { ok: true };
  }),

  /** Shows the partner for some seconds that the caller types. Stores nothing. */
  noteTyping: typingProcedure.input(conversationIdSchema).mutation(async ({ ctx, input: { conversationId } }) => {
    await getConversationState(ctx.db, { id: conversationId, actor: ctx.actor });
    ctx.presence.noteTyping({ conversationId, userId: ctx.actor.id });
    return { ok: true };
  }),

  /** Messages of one conversation and read marks, resumed after `lastEventId`. */
  onMessage: activeProcedure
    .input(watchMessagesSchema)
    .subscription(({ ctx, input, signal }) => openStream({ ctx, signal }, messageSource(ctx, input))),

  /** The caller's conversations as they change. Read the list again after an interruption. */
  onInbox: activeProcedure
    .input(resumeSchema)
    .subscription(({ ctx, input, signal }) =>
      openStream({ ctx, signal, cursor: input?.lastEventId }, inboxSource(ctx)),
    ),

  /** Who of the caller's partners is online, and who types. */
  onPresence: activeProcedure.subscription(({ ctx, signal }) => openStream({ ctx, signal }, presenceSource(ctx))),
});
