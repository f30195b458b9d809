import {
  approveSchema,
  clientIdSchema,
  listUsersSchema,
  updateProfileSchema,
  userIdSchema,
} from "../contract/accounts";
import { plain } from "../core/plain";
import { activeProcedure, adminProcedure, employeeProcedure } from "../core/procedures";
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
  list: adminProcedure.input(listUsersSchema).query(({ ctx, input }) => listUsers(ctx.db, input)),

  assignable: employeeProcedure.query(async ({ ctx }) => plain(await listActivePeople(ctx.db, ["user", "admin"]))),

  clients: employeeProcedure.query(async ({ ctx }) => plain(await listActivePeople(ctx.db, ["client"]))),

  approve: typeDecision.mutation(({ ctx, input }) => approveAccount(ctx.db, { ...input, by: ctx.actor })),

  reject: decision.mutation(({ ctx, input }) => rejectAccount(ctx.db, { ...input, by: ctx.actor })),

  deactivate: decision.mutation(({ ctx, input }) => deactivateAccount(ctx.db, { ...input, by: ctx.actor })),

  reactivate: decision.mutation(({ ctx, input }) => reactivateAccount(ctx.db, { ...input, by: ctx.actor })),

  setType: typeDecision.mutation(({ ctx, input }) => setAccountType(ctx.db, { ...input, by: ctx.actor })),

  /** Audited, so it is no query. */
  exportPerson: adminProcedure
    .input(userIdSchema)
    .mutation(({ ctx, input }) => exportPerson(ctx.db, { ...input, by: ctx.actor })),

  /** Audited, so it is no query; what is then seen are the four reads that take `asClientId`. */
  openClientView: adminProcedure
    .input(clientIdSchema)
    .mutation(async ({ ctx, input }) => ({ client: await openClientView(ctx.db, { ...input, by: ctx.actor }) })),

  erasePerson: decision.mutation(async ({ ctx, input }) => {
    await erasePerson(ctx.db, { ...input, by: ctx.actor });
    return { ok: true };
  }),

  updateProfile: activeProcedure.input(updateProfileSchema).mutation(async ({ ctx, input }) => {
    await updateProfile(ctx.db, { actor: ctx.actor, patch: input });
    return { ok: true };
  }),

  onChange: adminProcedure.subscription(({ ctx, signal }) => watchAccounts({ ctx, signal })),
});
