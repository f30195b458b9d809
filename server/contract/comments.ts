import { VISIBILITIES } from "@db/enums";
import * as z from "zod/mini";
import { fileIdsSchema } from "./files";
import { COMMENT_MESSAGES } from "./messages/comments";
import { subjectSchema } from "./subjects";
import { asClientKey, idSchema, textSchema } from "./text";

/** What the composer and the call validate with: 1 to 10,000 code points after trimming, mentions as they are written. */
export const commentTextSchema = textSchema({
  max: 10_000,
  required: COMMENT_MESSAGES.textRequired,
  label: "Comment",
});

/** A place in a discussion, as the caller counts it; numbers count from 1. */
const seqSchema = z.int().check(z.gte(0), z.lte(Number.MAX_SAFE_INTEGER));

/** `before` is exclusive; without it the newest. */
export const listCommentsSchema = z.strictObject({
  subject: subjectSchema,
  before: z.optional(seqSchema),
  limit: z.optional(z.int().check(z.gte(1), z.lte(200))),
  ...asClientKey,
});

export const mentionableSchema = z.strictObject({ subject: subjectSchema });

/** `clientCommentId` is made once per comment by the author's browser and kept through retries and reloads. */
export const createCommentSchema = z.strictObject({
  subject: subjectSchema,
  text: commentTextSchema,
  visibility: z.enum(VISIBILITIES, { error: "Choose who can see it." }),
  clientCommentId: idSchema,
  fileIds: z.optional(fileIdsSchema),
});

export const commentIdSchema = z.strictObject({ commentId: idSchema });
/** `seenEditedAt` is the `editedAt` of what was edited: one that was edited since is a CONFLICT. Without it the last edit stands. */
export const updateCommentSchema = z.extend(commentIdSchema, {
  text: commentTextSchema,
  seenEditedAt: z.optional(z.nullable(z.iso.datetime({ error: "Reload and try again." }))),
});

export const markCommentsReadSchema = z.strictObject({ subject: subjectSchema, upToSeq: seqSchema });

/**
 * `lastEventId` is the id of the last event received, or the `lastEventId` of a page of the list. Without it, and for one that this
 * caller cannot have been given, the stream begins with the newest 50 comments. `also` adds events of the files beside the
 * discussion, and of the people whom it names: each begins with how they are now.
 */
export const watchCommentsSchema = z.strictObject({
  subject: subjectSchema,
  lastEventId: z.nullish(z.string()),
  also: z.optional(z.array(z.enum(["files", "people"])).check(z.maxLength(2))),
});

export type CreateComment = z.output<typeof createCommentSchema>;
export type WatchComments = z.output<typeof watchCommentsSchema>;
export type UpdateComment = z.output<typeof updateCommentSchema>;
