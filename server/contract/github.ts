import * as z from "zod/mini";
import { GITHUB_MESSAGES } from "./messages/github";
import { ownerSchema } from "./repo";
import { asClientKey, idSchema, resumeKey } from "./text";

const activityShape = z.strictObject({ projectId: z.optional(idSchema) });

/** Of one project, or of all that the caller may see. */
export const activitySchema = z.optional(activityShape);

/** The same for what is read. */
export const readActivitySchema = z.optional(z.extend(activityShape, asClientKey));

/** Of one project, or of all that the caller may see, for a stream. */
export const watchActivitySchema = z.optional(z.extend(activityShape, resumeKey));

/** Of one token. */
export const MAX_OWNERS = 50;

/**
 * The token as GitHub gives it, and the accounts and organisations for whose repositories it may be used. Without a token
 * (absent, not empty) the one that is there stays, for these owners. With `ownersBefore`, what whoever changes them began with, only what
 * differs from it is changed: what others have added or removed meanwhile stays so.
 */
export const setTokenSchema = z.strictObject({
  token: z.optional(
    z.string({ error: GITHUB_MESSAGES.tokenRequired }).check(
      z.trim(),
      z.refine((text) => text !== "", { error: GITHUB_MESSAGES.tokenRequired, abort: true }),
      z.regex(/^[\x21-\x7e]{8,255}$/, { error: GITHUB_MESSAGES.tokenMisshapen }),
    ),
  ),
  owners: z.pipe(
    z
      .array(ownerSchema, { error: GITHUB_MESSAGES.ownersRequired })
      .check(
        z.minLength(1, { error: GITHUB_MESSAGES.ownersRequired }),
        z.maxLength(MAX_OWNERS, { error: GITHUB_MESSAGES.tooManyOwners }),
      ),
    z.transform((owners) => [...new Set(owners)].sort()),
  ),
  ownersBefore: z.optional(z.array(ownerSchema).check(z.maxLength(MAX_OWNERS))),
});

/** The input of `github.setToken`. */
export type NewToken = z.output<typeof setTokenSchema>;
