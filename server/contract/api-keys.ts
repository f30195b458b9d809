import { SESSION_SCOPES } from "@db/enums";
import * as z from "zod/mini";
import { AUTH_MESSAGES } from "./messages/auth";
import { idSchema, textSchema } from "./text";

/** Longer is no expiry at all: leave it out. */
const MOST_YEARS = 10;

const expirySchema = z
  .pipe(
    z.union([z.date(), z.iso.datetime({ offset: true })], { error: AUTH_MESSAGES.keyExpiryPast }),
    z.transform((at) => new Date(at)),
  )
  .check(
    z.refine((at) => at.valueOf() > Date.now(), { error: AUTH_MESSAGES.keyExpiryPast }),
    z.refine((at) => at.valueOf() < Date.now() + MOST_YEARS * 366 * 86_400_000, {
      error: `At most ${MOST_YEARS} years.`,
    }),
  );

/** `expiresAt`: a Date or an ISO-8601 instant; without it the key stands until it is revoked. */
export const createApiKeySchema = z.strictObject({
  name: textSchema({ max: 60, required: AUTH_MESSAGES.keyNameRequired, label: "Name" }),
  scope: z.enum(SESSION_SCOPES, { error: "Choose what the key may do." }),
  expiresAt: z.optional(z.nullable(expirySchema)),
});

export const apiKeyIdSchema = z.strictObject({ keyId: idSchema });
