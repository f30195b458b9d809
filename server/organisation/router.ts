import { updateOrganisationSchema } from "../contract/organisation";
import type { OrganisationSettings } from "../contract/views";
import { activeProcedure, adminProcedure } from "../core/procedures";
import { router } from "../core/trpc";
import { updateOrganisation } from "./mutations";
import { findOrganisation } from "./queries";

export const organisationRouter = router({
  /** The organisation's settings. What is required of admins is for admins. */
  get: activeProcedure.query(async ({ ctx }): Promise<OrganisationSettings> => {
    const settings = await findOrganisation(ctx.db, ctx);
    return ctx.actor.accountType === "admin" ? settings : { ...settings, requireTwoFactorForAdmins: null };
  }),

  /** Changes the organisation's settings. A missing key stays unchanged. */
  update: adminProcedure
    .input(updateOrganisationSchema)
    .mutation(async ({ ctx, input }): Promise<OrganisationSettings> => {
      await updateOrganisation(ctx.db, { patch: input, by: ctx.actor });
      return findOrganisation(ctx.db, ctx);
    }),
});
