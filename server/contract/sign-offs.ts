import { SIGN_OFF_STATUSES } from "@db/client-enums";
import * as z from "zod/mini";
import { SIGN_OFF_MESSAGES } from "./messages/sign-offs";
import { asClientKey, distinctIdsSchema, idSchema, textSchema } from "./text";

/**
 * Of one project, also of one that was deleted; without one all that the caller may see, or with `former` those of projects that the
 * caller does not see, or no longer. Of one status, or of all. The newest 100.
 */
export const listSignOffsSchema = z.strictObject({
  projectId: z.optional(idSchema),
  status: z.optional(z.enum(SIGN_OFF_STATUSES)),
  former: z.optional(z.literal(true)),
  ...asClientKey,
});

export const signOffIdSchema = z.strictObject({ signOffId: idSchema });
export const readSignOffSchema = z.extend(signOffIdSchema, asClientKey);

const MAX_LENGTH = 2_000;

/** The text of the question. */
const signOffNoteSchema = textSchema({
  max: MAX_LENGTH,
  required: SIGN_OFF_MESSAGES.noteRequired,
  label: "Note",
});

/** What the client wants changed. */
const signOffReasonSchema = textSchema({
  max: MAX_LENGTH,
  required: SIGN_OFF_MESSAGES.reasonRequired,
  label: "Reason",
});

interface Chosen {
  taskIds?: string[] | undefined;
  all?: true | undefined;
}

/** Either some tasks, or `all`: the whole project, whatever tasks it has by the decision. */
export const askSignOffSchema = z
  .strictObject({
    projectId: idSchema,
    taskIds: z.optional(distinctIdsSchema({ max: 500, tooMany: "At most 500 tasks." })),
    all: z.optional(z.literal(true)),
    note: signOffNoteSchema,
    signerId: z.optional(idSchema),
  })
  .check(
    z.refine<Chosen>(({ taskIds = [], all }) => taskIds.length > 0 !== (all === true), {
      path: ["taskIds" satisfies keyof Chosen],
      error: SIGN_OFF_MESSAGES.chooseTasks,
    }),
  );

/** A safe integer: it is made of a digest, not counted. */
const seenVersionSchema = z.int({ error: "Reload and try again." }).check(z.gte(0, { error: "Reload and try again." }));

/** `seenVersion` is the `version` of what the signer saw; without it the present record is signed, whatever it is. */
export const approveSignOffSchema = z.extend(signOffIdSchema, { seenVersion: z.optional(seenVersionSchema) });

export const requestChangesSchema = z.extend(signOffIdSchema, { reason: signOffReasonSchema });

export type AskSignOff = z.output<typeof askSignOffSchema>;

const commitSchema = z.object({ sha: z.string(), at: z.string() });

/**
 * What is signed, in the order in which it is written and shown. Ids and texts only, and the signer's name: other names are
 * filled in by whoever shows it.
 */
export const signOffRecordSchema = z.object({
  project: z.object({ id: idSchema, key: z.string(), title: z.string() }),
  /** The text of the question, who asked, and when. */
  question: z.string(),
  askedBy: idSchema,
  askedAt: z.string(),
  signer: z.object({ id: idSchema, name: z.string() }),
  /** The whole project, or some of its tasks. */
  scope: z.enum(["project", "tasks"]),
  /** By number. */
  tasks: z.array(
    z.object({
      id: idSchema,
      number: z.int(),
      title: z.string(),
      status: z.string(),
      dueDate: z.nullable(z.string()),
    }),
  ),
  /**
   * From the first to the last commit, of the repository or of those that name the tasks. Without ends where the client sees counts
   * only; empty where the client sees no commits, and without any.
   */
  commits: z.array(
    z.object({
      repository: z.string(),
      count: z.int(),
      first: z.nullable(commitSchema),
      last: z.nullable(commitSchema),
    }),
  ),
  liveLink: z.nullable(z.string()),
  /** Of the project and of the tasks, as far as clients see them, in the order in which they were attached; `hash` is SHA-256. */
  files: z.array(z.object({ id: idSchema, name: z.string(), size: z.int(), hash: z.string() })),
});
