import {
  approveSchema,
  clientIdSchema,
  listUsersSchema,
  setPhotoSchema,
  updateProfileSchema,
  userIdSchema,
} from "../contract/profiles";
import { resumeSchema } from "../contract/text";
import { adminProcedure, employeeProcedure, ownCredentialsProcedure, provenAdminProcedure } from "../core/procedures";
import { router } from "../core/trpc";
import { openStream } from "../realtime/stream";
import { openClientView } from "./client-view";
import { accountSource } from "./events";
import {
  approveAccount,
  deactivateAccount,
  erasePerson,
  exportPerson,
  reactivateAccount,
  rejectAccount,
  setAccountType,
  updateProfile,
} from "./mutations";
import { setPhoto } from "./photos";
import { refuseOneself } from "./policy";
import { listActivePeople, listUsers } from "./queries";

/** An admin's decision about somebody else's account. */
const decision = adminProcedure.input(userIdSchema).use(({ ctx, input, next }) => {
  refuseOneself(ctx.actor, input);
  return next();
});
const typeDecision = adminProcedure.input(approveSchema).use(({ ctx, input, next }) => {
  refuseOneself(ctx.actor, input);
  return next();
});

export const usersRouter = router({
  /** Accounts, newest first, in pages. `rejected` includes inactive ones. */
  list: adminProcedure.input(listUsersSchema).query(({ ctx, input }) => listUsers(ctx.db, input)),

  /** Active users and admins, who can be assigned to a project. */
  assignable: employeeProcedure.query(({ ctx }) => listActivePeople(ctx.db, ["user", "admin"])),

  /** Active clients, who can be a project's client. */
  clients: employeeProcedure.query(({ ctx }) => listActivePeople(ctx.db, ["client"])),

  /** Approves a pending account as a user, client or admin. */
  approve: typeDecision.mutation(({ ctx, input }) => approveAccount(ctx.db, { ...input, by: ctx.actor })),

  /** Rejects a pending account. */
  reject: decision.mutation(({ ctx, input }) => rejectAccount(ctx.db, { ...input, by: ctx.actor })),

  /** Deactivates an active account. Its sessions, API keys and streams end. */
  deactivate: decision.mutation(({ ctx, input }) => deactivateAccount(ctx.db, { ...input, by: ctx.actor })),

  /** Reactivates a rejected or inactive account. */
  reactivate: decision.mutation(({ ctx, input }) => reactivateAccount(ctx.db, { ...input, by: ctx.actor })),

  /** Changes the type of an account. Its sessions end. */
  setType: typeDecision.mutation(({ ctx, input }) => setAccountType(ctx.db, { ...input, by: ctx.actor })),

  /** Everything held about a person. Audited, so it is a mutation. */
  exportPerson: provenAdminProcedure
    .input(userIdSchema)
    .mutation(({ ctx, input }) => exportPerson(ctx.db, { ...input, by: ctx.actor })),

  /** Opens a client's portal for an admin, who then reads with `asClientId`. Audited, so it is a mutation. */
  openClientView: adminProcedure
    .input(clientIdSchema)
    .mutation(async ({ ctx, input }) => ({ client: await openClientView(ctx.db, { ...input, by: ctx.actor }) })),

  /** Removes what identifies a person, who can no longer sign in. Projects, tasks and the audit keep the id. */
  erasePerson: provenAdminProcedure.input(userIdSchema).mutation(async ({ ctx, input }) => {
    refuseOneself(ctx.actor, input);
    await erasePerson(ctx.db, { ...input, by: ctx.actor });
    return { ok: true };
  }),

  /** Changes one's own profile. A missing key stays unchanged, null clears. */
  updateProfile: ownCredentialsProcedure.input(updateProfileSchema).mutation(async ({ ctx, input }) => {
    await updateProfile(ctx.db, { actor: ctx.actor, patch: input });
    return { ok: true };
  }),

  /** Makes an uploaded picture one's own, instead of the one before; null for none. */
  setPhoto: ownCredentialsProcedure.input(setPhotoSchema).mutation(async ({ ctx, input }) => {
    await setPhoto(ctx.db, { actor: ctx.actor, ...input });
    return { ok: true };
  }),

  /** Emits when accounts have changed and lists should be refetched. */
  onChange: adminProcedure
    .input(resumeSchema)
    .subscription(({ ctx, input, signal }) =>
      openStream({ ctx, signal, cursor: input?.lastEventId }, accountSource(ctx)),
    ),
});
