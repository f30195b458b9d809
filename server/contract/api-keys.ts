import { SESSION_SCOPES } from "@db/enums";
import * as z from "zod/mini";
import { DAY_MS } from "./days";
import { API_KEY_MESSAGES } from "./messages/api-keys";
import { idSchema, lineSchema } from "./text";

/** Longer is no expiry at all: leave it out. */
const MAX_YEARS = 10;

const expirySchema = z
  .pipe(
    z.union([z.date(), z.iso.datetime({ offset: true })], { error: API_KEY_MESSAGES.expiryPast }),
    z.transform((at) => new Date(at)),
  )
  .check(
    z.refine((at) => at.valueOf() > Date.now(), { error: API_KEY_MESSAGES.expiryPast }),
    z.refine((at) => at.valueOf() < Date.now() + MAX_YEARS * 366 * DAY_MS, {
      error: `At most ${MAX_YEARS} years.`,
    }),
  );

/** `expiresAt`: a Date or an ISO-8601 instant; without it the key stands until it is revoked. */
export const createApiKeySchema = z.strictObject({
  name: lineSchema({ max: 60, required: API_KEY_MESSAGES.nameRequired, label: "Name" }),
  scope: z.enum(SESSION_SCOPES, { error: "Choose what the key may do." }),
  expiresAt: z.optional(z.nullable(expirySchema)),
});

export const apiKeyIdSchema = z.strictObject({ keyId: idSchema });
