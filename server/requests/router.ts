import {
  acceptRequestSchema,
  countRequestsSchema,
  createRequestSchema,
  declineRequestSchema,
  listRequestsSchema,
  markDuplicateSchema,
  readRequestSchema,
  replySchema,
} from "../contract/requests";
import { resumeSchema } from "../contract/text";
import { activeProcedure, employeeProcedure, impersonatedReadProcedure } from "../core/procedures";
import { router } from "../core/trpc";
import { visibleProject } from "../projects/procedures";
import { openStream } from "../realtime/stream";
import { effectiveActor } from "../users/procedures";
import { requestSource } from "./events";
import { listRequests } from "./lists";
import { acceptRequest, answerRequest, askBack, createRequest, declineRequest, markDuplicate } from "./mutations";
import { answerableRequest, decidableRequest, requestableProject, visiblePosition, visibleRequest } from "./procedures";
import { countRequests, showRequest } from "./queries";

export const requestsRouter = router({
  /**
   * Newest first, of the projects that the caller sees: pages of at most 500, which hold those that wait before the decided ones. A
   * full page may have another after it: `cursor` is then the id of its last decided request, or of its last one if none is decided.
   */
  list: impersonatedReadProcedure
    .input(listRequestsSchema)
    .query(async ({ ctx, input: { projectId, asClientId, cursor, status, taskId } }) => {
      const actor = await effectiveActor(ctx, asClientId);
      const call = { db: ctx.db, actor };
      if (projectId !== undefined) await visibleProject(call, projectId);
      const after = cursor ? await visiblePosition(call, cursor) : null;
      return listRequests(ctx.db, { actor, timeZone: ctx.timeZone, projectId, taskId, status, after });
    }),

  /** One request with its thread, its files and what became of it. */
  byId: impersonatedReadProcedure.input(readRequestSchema).query(async ({ ctx, input: { requestId, asClientId } }) => {
    const actor = await effectiveActor(ctx, asClientId);
    return showRequest(await visibleRequest({ db: ctx.db, actor }, requestId), { actor, timeZone: ctx.timeZone });
  }),

  /** How many wait: for admins of all projects, for users of those that they manage, for clients of their own. */
  counts: impersonatedReadProcedure
    .input(countRequestsSchema)
    .query(async ({ ctx, input }) => countRequests(ctx.db, { actor: await effectiveActor(ctx, input?.asClientId) })),

  /**
   * Clients need client collaboration of the project. Idempotent by `clientRequestId`: the same key and content return the first
   * request. `messageId` is of a message of the caller's own conversations.
   */
  create: activeProcedure.input(createRequestSchema).mutation(async ({ ctx, input }) => {
    const project = await requestableProject(ctx, input);
    return createRequest(ctx.db, { project, ...input, by: ctx });
  }),

  /** Makes the task in the request's project. Decided already: CONFLICT, with the request as it is now; so for all decisions. */
  accept: employeeProcedure.input(acceptRequestSchema).mutation(async ({ ctx, input: { requestId, task } }) => {
    const request = await decidableRequest(ctx, requestId);
    return acceptRequest(ctx.db, { request, task, by: ctx });
  }),

  /** A question to the client, in the request's thread. */
  askBack: employeeProcedure.input(replySchema).mutation(async ({ ctx, input: { requestId, text } }) => {
    const request = await decidableRequest(ctx, requestId);
    return askBack(ctx.db, { request, text, by: ctx });
  }),

  /** By the client, with client collaboration. An asked request is new again. */
  answer: activeProcedure.input(replySchema).mutation(async ({ ctx, input: { requestId, text } }) => {
    const request = await answerableRequest(ctx, requestId);
    return answerRequest(ctx.db, { request, text, by: ctx });
  }),

  /** The client reads the reason. */
  decline: employeeProcedure.input(declineRequestSchema).mutation(async ({ ctx, input: { requestId, reason } }) => {
    const request = await decidableRequest(ctx, requestId);
    return declineRequest(ctx.db, { request, reason, by: ctx });
  }),

  /** Of another request of the same project, which is no duplicate itself. */
  markDuplicate: employeeProcedure.input(markDuplicateSchema).mutation(async ({ ctx, input }) => {
    const request = await decidableRequest(ctx, input.requestId);
    const original = await visibleRequest(ctx, input.ofRequestId);
    return markDuplicate(ctx.db, { request, original, by: ctx });
  }),

  /** Requests that the caller sees, each as it is new or has changed. */
  onChange: activeProcedure
    .input(resumeSchema)
    .subscription(({ ctx, input, signal }) =>
      openStream({ ctx, signal, cursor: input?.lastEventId }, requestSource(ctx)),
    ),
});
