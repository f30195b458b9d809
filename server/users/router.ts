import { approveSchema, listUsersSchema, userIdSchema } from "../contract/accounts";
import { MESSAGES } from "../contract/messages";
import { DomainError } from "../core/errors";
import { plain } from "../core/plain";
import { adminProcedure, employeeProcedure } from "../core/procedures";
import { router } from "../core/trpc";
import { isOneself } from "./policy";
import { decideAccount, listActivePeople, listUsers } from "./queries";

export const usersRouter = router({
  list: adminProcedure.input(listUsersSchema).query(({ ctx, input }) => listUsers(ctx.db, input)),

  assignable: employeeProcedure.query(async ({ ctx }) => plain(await listActivePeople(ctx.db, ["user", "admin"]))),

  clients: employeeProcedure.query(async ({ ctx }) => plain(await listActivePeople(ctx.db, ["client"]))),

  approve: adminProcedure.input(approveSchema).mutation(({ ctx, input }) => {
    if (isOneself(ctx.actor, input.userId)) throw new DomainError("FORBIDDEN", MESSAGES.users.notOneself);
    return decideAccount(ctx.db, { ...input, status: "active", by: ctx.actor });
  }),

  reject: adminProcedure.input(userIdSchema).mutation(({ ctx, input }) => {
    if (isOneself(ctx.actor, input.userId)) throw new DomainError("FORBIDDEN", MESSAGES.users.notOneself);
    return decideAccount(ctx.db, { ...input, status: "rejected", by: ctx.actor });
  }),
});
