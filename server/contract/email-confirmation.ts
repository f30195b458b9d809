import * as z from "zod/mini";
import { emailSchema, linkTokenSchema } from "./accounts";
import { EMAIL_CONFIRMATION_MESSAGES } from "./messages/email-confirmation";

/* Apart from the other schemas of accounts, which the sign-up page carries. */

export const requestConfirmationSchema = z.strictObject({ email: emailSchema });

export const confirmEmailSchema = z.strictObject({ token: linkTokenSchema(EMAIL_CONFIRMATION_MESSAGES.linkDead) });
