import * as z from "zod/mini";
import { MESSAGES } from "./messages";
import { ownerSchema } from "./repo";
import { idSchema } from "./text";

/** Of one project, or of all that the caller may see. */
export const activitySchema = z.optional(z.strictObject({ projectId: z.optional(idSchema) }));

/**
 * The token as GitHub gives it, and the accounts and organisations for whose repositories it may be used. Without a token
 * (absent, not empty) the one that is there stays, for these owners.
 */
export const setTokenSchema = z.strictObject({
  token: z.optional(
    z.string({ error: MESSAGES.github.tokenRequired }).check(
      z.trim(),
      z.refine((text) => text !== "", { error: MESSAGES.github.tokenRequired, abort: true }),
      z.regex(/^[\x21-\x7e]{8,255}$/, { error: MESSAGES.github.tokenMisshapen }),
    ),
  ),
  owners: z.pipe(
    z
      .array(ownerSchema, { error: MESSAGES.github.ownersRequired })
      .check(
        z.minLength(1, { error: MESSAGES.github.ownersRequired }),
        z.maxLength(50, { error: MESSAGES.github.tooManyOwners }),
      ),
    z.transform((owners) => [...new Set(owners)].sort()),
  ),
});
