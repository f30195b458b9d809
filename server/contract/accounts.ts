import { ACCOUNT_TYPES } from "@db/enums";
import * as z from "zod/mini";
import { AUTH_MESSAGES } from "./messages/auth";
import { GENERAL_MESSAGES } from "./messages/general";
import { codePoints, idSchema, lineSchema, orAbsent, textSchema, webLinkSchema } from "./text";

/** The terms that sign-up records as accepted; change it together with /terms or /privacy. */
export const TERMS_VERSION = "2026-11-20";

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
export const newPasswordSchema = z.string({ error: AUTH_MESSAGES.passwordTooShort }).check(
  z.refine((text) => codePoints(text) >= 6, { error: AUTH_MESSAGES.passwordTooShort }),
  z.refine((text) => codePoints(text) <= 128, { error: AUTH_MESSAGES.passwordTooLong }),
);

const passwordsAgree = z.refine<{ password: string; confirmPassword: string }>(
  ({ password, confirmPassword }) => password === confirmPassword,
  { path: ["confirmPassword"], error: AUTH_MESSAGES.passwordsDiffer },
);

export const signUpSchema = z
  .strictObject({
    name: nameSchema,
    email: emailSchema,
    mobile: mobileSchema,
    password: newPasswordSchema,
    confirmPassword: z.string({ error: AUTH_MESSAGES.passwordsDiffer }),
    agreeToTerms: z.literal(true, { error: AUTH_MESSAGES.termsRequired }),
  })
  .check(passwordsAgree);

export const signInSchema = z.strictObject({
  email: emailSchema,
  password: z
    .string({ error: AUTH_MESSAGES.passwordRequired })
    .check(
      z.minLength(1, { error: AUTH_MESSAGES.passwordRequired }),
      z.maxLength(1024, { error: AUTH_MESSAGES.passwordTooLong }),
    ),
  rememberMe: z.boolean({ error: "Say whether to remember this browser." }),
});

/** `redirect` is where the person was going: an own path; whether the role may open it is decided on the way back. */
export const googleSchema = z.strictObject({
  intent: z.enum(["signIn", "signUp"]),
  redirect: z.optional(
    z
      .string()
      .check(
        z.maxLength(2000, { error: GENERAL_MESSAGES.unreadable }),
        z.regex(/^\/(?![/\\])/, { error: GENERAL_MESSAGES.unreadable }),
      ),
  ),
});

export const requestResetSchema = z.strictObject({ email: emailSchema });

/** What came with a link in a mail. */
export const linkTokenSchema = (dead: string) => z.string({ error: dead }).check(z.maxLength(200, { error: dead }));

export const resetPasswordSchema = z
  .strictObject({
    token: linkTokenSchema(AUTH_MESSAGES.resetLinkDead),
    password: newPasswordSchema,
    confirmPassword: z.string({ error: AUTH_MESSAGES.passwordsDiffer }),
  })
  .check(passwordsAgree);

export const changePasswordSchema = z.strictObject({
  currentPassword: z
    .string({ error: AUTH_MESSAGES.passwordRequired })
    .check(
      z.minLength(1, { error: AUTH_MESSAGES.passwordRequired }),
      z.maxLength(1024, { error: AUTH_MESSAGES.passwordTooLong }),
    ),
  newPassword: newPasswordSchema,
});

export const sessionIdSchema = z.strictObject({ sessionId: idSchema });

/** Pages may show pictures over https only (their content security policy). */
const pictureLinkSchema = webLinkSchema.check(
  z.refine((link) => /^https:/i.test(link), { error: "Enter a link that begins with https://" }),
);

/** The fields of a profile that its person writes; "" and null clear what may be absent. */
export const profileSchema = z.strictObject({
  name: nameSchema,
  displayName: lineSchema({ max: 100, required: "Please enter a display name.", label: "Display name" }),
  mobile: z.optional(orAbsent(mobileSchema)),
  age: z.optional(
    z.nullable(
      z
        .int({ error: "Enter your age in years." })
        .check(
          z.gte(0, { error: "Enter an age between 0 and 150." }),
          z.lte(150, { error: "Enter an age between 0 and 150." }),
        ),
    ),
  ),
  address: textSchema({ max: 500, required: "Please enter an address.", label: "Address" }),
  profileImgLink: z.optional(orAbsent(pictureLinkSchema)),
});

/** A missing key stays as it is. `unreadMail`: whether what stays unread is mailed; a switch of its own in Settings. */
export const updateProfileSchema = z.extend(z.partial(profileSchema), { unreadMail: z.optional(z.boolean()) });

export const userIdSchema = z.strictObject({ userId: idSchema });

export const clientIdSchema = z.strictObject({ clientId: idSchema });

export const approveSchema = z.strictObject({
  userId: idSchema,
  accountType: z.enum(ACCOUNT_TYPES, { error: "Choose User, Client or Admin." }),
});

/** Subtabs of the Users tab: `rejected` holds rejected and inactive accounts. */
export const USER_LISTS = ["pending", "active", "rejected"] as const;
export type UserListName = (typeof USER_LISTS)[number];

export const listUsersSchema = z.strictObject({
  status: z.optional(z.enum(USER_LISTS)),
  q: z.optional(textSchema({ min: 0, max: 200, required: "", label: "Search" })),
  cursor: z.nullish(z.string().check(z.maxLength(200))),
  /** Sent along by tRPC's hook for pages; there is one way only. */
  direction: z.optional(z.literal("forward")),
});

export type ProfilePatch = z.output<typeof updateProfileSchema>;
