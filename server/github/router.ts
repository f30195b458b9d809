import { activitySchema, readActivitySchema, setTokenSchema, watchActivitySchema } from "../contract/github";
import { MESSAGES } from "../contract/messages";
import { DomainError } from "../core/errors";
import {
  adminProcedure,
  clientOrAdminProcedure,
  impersonatedClientProcedure,
  provenAdminProcedure,
} from "../core/procedures";
import { router } from "../core/trpc";
import { SecretToken } from "../core/vault";
import { visibleProject } from "../projects/procedures";
import { openStream } from "../realtime/stream";
import { effectiveActor } from "../users/procedures";
import { activitySource } from "./events";
import { findFeed } from "./queries";
import { requestSync } from "./sync-runs";
import { findTokenStatus, removeToken, setOwners, setToken } from "./token";

export const githubRouter = router({
  /** The newest commits of the projects that the caller may see, or of one of them. */
  commits: impersonatedClientProcedure.input(readActivitySchema).query(async ({ ctx, input }) => {
    const actor = await effectiveActor(ctx, input?.asClientId);
    const feed = await findFeed(ctx.db, { actor, projectId: input?.projectId, timeZone: ctx.timeZone });
    if (!feed) throw new DomainError("NOT_FOUND", MESSAGES.projects.notFound);
    return feed;
  }),

  /** Requests a sync with GitHub, for each repository at most once a minute. */
  refresh: adminProcedure.input(activitySchema).mutation(async ({ ctx, input }) => {
    if (input?.projectId) await visibleProject(ctx, input.projectId);
    return requestSync(ctx.db, { actor: ctx.actor, projectId: input?.projectId });
  }),

  /** Emits the projects whose commits have changed. */
  onChange: clientOrAdminProcedure.input(watchActivitySchema).subscription(({ ctx, input, signal }) => {
    const isVisible = async () => input?.projectId && visibleProject(ctx, input.projectId);
    return openStream(
      { ctx, signal, cursor: input?.lastEventId },
      activitySource(ctx, { projectId: input?.projectId, isVisible }),
    );
  }),

  /** The token's status, never the token itself. */
  tokenStatus: adminProcedure.query(({ ctx }) => findTokenStatus(ctx.db)),

  /** Checks the token with GitHub and stores it encrypted. Used for the given owners only. */
  setToken: provenAdminProcedure.input(setTokenSchema).mutation(({ ctx, input: { token, ...owners } }) => {
    const { db, vault, github, actor: by } = ctx;
    return token === undefined
      ? setOwners(db, { ...owners, by, vault, github })
      : setToken(db, { token: new SecretToken(token), ...owners, by, vault, github });
  }),

  /** Removes the token, so that only public repositories are read. */
  removeToken: adminProcedure.mutation(({ ctx }) => removeToken(ctx.db, { by: ctx.actor })),
});
