import {
  approveSchema,
  clientIdSchema,
  listUsersSchema,
  updateProfileSchema,
  userIdSchema,
} from "../contract/profiles";
import { resumeSchema } from "../contract/text";
import { adminProcedure, employeeProcedure, ownCredentialsProcedure } from "../core/procedures";
import { router } from "../core/trpc";
import { openClientView } from "./client-view";
import { watchAccounts } from "./events";
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
  /** Newest first, by pages; `rejected` means rejected and inactive. */
  list: adminProcedure.input(listUsersSchema).query(({ ctx, input }) => listUsers(ctx.db, input)),

  /** Active users and admins, to choose from. */
  assignable: employeeProcedure.query(({ ctx }) => listActivePeople(ctx.db, ["user", "admin"])),

  /** Active clients, to choose from. */
  clients: employeeProcedure.query(({ ctx }) => listActivePeople(ctx.db, ["client"])),

  /** A pending account becomes active, as what it is made. */
  approve: typeDecision.mutation(({ ctx, input }) => approveAccount(ctx.db, { ...input, by: ctx.actor })),

  /** A pending account may not come in. */
  reject: decision.mutation(({ ctx, input }) => rejectAccount(ctx.db, { ...input, by: ctx.actor })),

  /** An active account may no longer come in; its sessions, API keys and streams end. */
  deactivate: decision.mutation(({ ctx, input }) => deactivateAccount(ctx.db, { ...input, by: ctx.actor })),

  /** A rejected or inactive account is active again. */
  reactivate: decision.mutation(({ ctx, input }) => reactivateAccount(ctx.db, { ...input, by: ctx.actor })),

  /** Makes an active account something else; its sessions end. */
  setType: typeDecision.mutation(({ ctx, input }) => setAccountType(ctx.db, { ...input, by: ctx.actor })),

  /** Audited, so it is no query. */
  exportPerson: adminProcedure
    .input(userIdSchema)
    .mutation(({ ctx, input }) => exportPerson(ctx.db, { ...input, by: ctx.actor })),

  /** Audited, so it is no query; what is then seen are the four reads that take `asClientId`. */
  openClientView: adminProcedure
    .input(clientIdSchema)
    .mutation(async ({ ctx, input }) => ({ client: await openClientView(ctx.db, { ...input, by: ctx.actor }) })),

  /** Takes out what identifies a person and ends every way in; projects, tasks and the audit keep the id. */
  erasePerson: decision.mutation(async ({ ctx, input }) => {
    await erasePerson(ctx.db, { ...input, by: ctx.actor });
    return { ok: true };
  }),

  /** One's own. A missing key stays as it is, null clears. */
  updateProfile: ownCredentialsProcedure.input(updateProfileSchema).mutation(async ({ ctx, input }) => {
    await updateProfile(ctx.db, { actor: ctx.actor, patch: input });
    return { ok: true };
  }),

  /** Tells that accounts have changed: the lists are to be read again. */
  onChange: adminProcedure
    .input(resumeSchema)
    .subscription(({ ctx, input, signal }) => watchAccounts({ ctx, signal, cursor: input?.lastEventId })),
});
