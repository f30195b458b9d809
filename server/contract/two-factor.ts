import * as z from "zod/mini";
import { linkTokenSchema } from "./accounts";
import { AUTH_MESSAGES } from "./messages/auth";
import { PASSWORD_MESSAGES } from "./messages/passwords";
import { TWO_FACTOR_MESSAGES } from "./messages/two-factor";

const presentPasswordSchema = z
  .string({ error: AUTH_MESSAGES.passwordRequired })
  .check(
    z.minLength(1, { error: AUTH_MESSAGES.passwordRequired }),
    z.maxLength(1024, { error: PASSWORD_MESSAGES.passwordTooLong }),
  );

/** Six digits of the authenticator app, or a recovery code; spaces and hyphens do not matter. */
const codeSchema = z
  .string({ error: TWO_FACTOR_MESSAGES.codeRequired })
  .check(
    z.trim(),
    z.minLength(1, { error: TWO_FACTOR_MESSAGES.codeRequired }),
    z.maxLength(64, { error: TWO_FACTOR_MESSAGES.codeRequired }),
  );

interface Proof {
  password?: string | undefined;
  code?: string | undefined;
}

/** One of the two; the password counts when both are given. */
export const confirmIdentitySchema = z
  .strictObject({ password: z.optional(presentPasswordSchema), code: z.optional(codeSchema) })
  .check(
    z.refine<Proof>(({ password, code }) => password !== undefined || code !== undefined, {
      path: ["password" satisfies keyof Proof],
      error: TWO_FACTOR_MESSAGES.proofMissing,
    }),
  );
export type ConfirmIdentity = z.output<typeof confirmIdentitySchema>;

export const enableTwoFactorSchema = z.strictObject({ password: presentPasswordSchema });
export const confirmTwoFactorSchema = z.strictObject({ code: codeSchema });
export const disableTwoFactorSchema = z.strictObject({ password: presentPasswordSchema, code: codeSchema });

/** `challenge` is what `auth.signIn` answered. With `rememberBrowser` this browser is asked for no code for 30 days. */
export const verifyTwoFactorSchema = z.strictObject({
  challenge: linkTokenSchema(TWO_FACTOR_MESSAGES.signInExpired),
  code: codeSchema,
  rememberBrowser: z.boolean({ error: "Say whether to remember this browser." }),
});
export type VerifyTwoFactor = z.output<typeof verifyTwoFactorSchema>;
