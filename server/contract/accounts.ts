import * as z from "zod/mini";
import { AUTH_MESSAGES } from "./messages/auth";
import { CREDENTIAL_MESSAGES } from "./messages/credentials";
import { GENERAL_MESSAGES } from "./messages/general";
import { PASSWORD_MESSAGES } from "./messages/passwords";
import { codePoints, describeSchema, idSchema, lineSchema } from "./text";

/** The terms that sign-up records as accepted; change it together with /terms or /privacy. */
export const TERMS_VERSION = "2026-11-23";

export const nameSchema = lineSchema({ max: 100, required: "Please enter your full name.", label: "Full name" });

/** Lower-cased; the shape that mail servers and the auth library agree on; at most 254. */
export const emailSchema = z.string({ error: AUTH_MESSAGES.emailRequired }).check(
  z.trim(),
  z.refine((text) => text !== "", { error: AUTH_MESSAGES.emailRequired, abort: true }),
  z.maxLength(254, { error: "An email address may have at most 254 characters." }),
  z.regex(z.regexes.email, { error: "Enter an email address, such as name@example.com." }),
  z.toLowerCase(),
);

export const mobileSchema = z.string({ error: "Please enter your phone number." }).check(
  z.trim(),
  z.refine((text) => text !== "", { error: "Please enter your phone number.", abort: true }),
  z.regex(/^[\d+() -]{7,20}$/, { error: "Enter 7 to 20 digits; + ( ) - and spaces are fine." }),
);

/** 6 to 128 characters of any kind; never trimmed or cut. */
export const newPasswordSchema = describeSchema(
  z.string({ error: PASSWORD_MESSAGES.passwordTooShort }).check(
    z.refine((text) => codePoints(text) >= 6, { error: PASSWORD_MESSAGES.passwordTooShort }),
    z.refine((text) => codePoints(text) <= 128, { error: PASSWORD_MESSAGES.passwordTooLong }),
  ),
  { minLength: 6, maxLength: 128 },
);

interface Passwords {
  password: string;
  confirmPassword: string;
}

/** Of a form with a password typed twice. */
export const passwordsAgree = z.refine<Passwords>(({ password, confirmPassword }) => password === confirmPassword, {
  path: ["confirmPassword" satisfies keyof Passwords],
  error: PASSWORD_MESSAGES.passwordsDiffer,
});

export const termsSchema = z.literal(true, { error: CREDENTIAL_MESSAGES.termsRequired });

export const signUpSchema = z
  .strictObject({
    name: nameSchema,
    email: emailSchema,
    mobile: mobileSchema,
    password: newPasswordSchema,
    confirmPassword: z.string({ error: PASSWORD_MESSAGES.passwordsDiffer }),
    agreeToTerms: termsSchema,
  })
  .check(passwordsAgree);

export const signInSchema = z.strictObject({
  email: emailSchema,
  password: z
    .string({ error: AUTH_MESSAGES.passwordRequired })
    .check(
      z.minLength(1, { error: AUTH_MESSAGES.passwordRequired }),
      z.maxLength(1024, { error: PASSWORD_MESSAGES.passwordTooLong }),
    ),
  rememberMe: z.boolean({ error: "Say whether to remember this browser." }),
});

/**
 * `redirect` is where the person was going, as long as /login takes it from its address. What is no path of this site counts as none;
 * whether the role may open it is decided on the way back.
 */
export const googleSchema = z.strictObject({
  intent: z.enum(["signIn", "signUp"]),
  redirect: z.optional(z.string().check(z.maxLength(2_048, { error: GENERAL_MESSAGES.unreadable }))),
});

export const requestResetSchema = z.strictObject({ email: emailSchema });

/** What came with a link in a mail. */
export const linkTokenSchema = (dead: string) => z.string({ error: dead }).check(z.maxLength(200, { error: dead }));

export const resetPasswordSchema = z
  .strictObject({
    token: linkTokenSchema(PASSWORD_MESSAGES.resetLinkDead),
    password: newPasswordSchema,
    confirmPassword: z.string({ error: PASSWORD_MESSAGES.passwordsDiffer }),
  })
  .check(passwordsAgree);

export const changePasswordSchema = z.strictObject({
  currentPassword: z
    .string({ error: AUTH_MESSAGES.passwordRequired })
    .check(
      z.minLength(1, { error: AUTH_MESSAGES.passwordRequired }),
      z.maxLength(1024, { error: PASSWORD_MESSAGES.passwordTooLong }),
    ),
  newPassword: newPasswordSchema,
});

export const sessionIdSchema = z.strictObject({ sessionId: idSchema });

export type ChangePassword = z.output<typeof changePasswordSchema>;

export type SignIn = z.output<typeof signInSchema>;
