import { ACCOUNT_TYPES } from "@db/enums";
import * as z from "zod/mini";
import { emailSchema, linkTokenSchema, nameSchema, newPasswordSchema, passwordsAgree, termsSchema } from "./accounts";
import { ACCEPTANCE_MESSAGES } from "./messages/acceptance";
import { PASSWORD_MESSAGES } from "./messages/passwords";
import { distinctIdsSchema, idSchema } from "./text";

/** Users and admins are assigned to the projects; a client becomes the client of each, or one of the client's people. */
export const inviteSchema = z.strictObject({
  name: nameSchema,
  email: emailSchema,
  accountType: z.enum(ACCOUNT_TYPES, { error: "Choose User, Client or Admin." }),
  projectIds: z.optional(distinctIdsSchema({ max: 200, tooMany: "At most 200 projects." })),
});

export const invitationIdSchema = z.strictObject({ invitationId: idSchema });

export const acceptInvitationSchema = z
  .strictObject({
    token: linkTokenSchema(ACCEPTANCE_MESSAGES.linkDead),
    password: newPasswordSchema,
    confirmPassword: z.string({ error: PASSWORD_MESSAGES.passwordsDiffer }),
    agreeToTerms: termsSchema,
  })
  .check(passwordsAgree);

export type Invite = z.output<typeof inviteSchema>;
