import { REQUEST_STATUSES, REQUEST_URGENCIES } from "@db/client-enums";
import * as z from "zod/mini";
import { fileIdsSchema } from "./files";
import { REQUEST_MESSAGES } from "./messages/requests";
import { createTaskSchema } from "./tasks";
import { asClientKey, idSchema, lineSchema, textSchema } from "./text";

/** As long as a task's title and description, which it becomes. */
const title = lineSchema({ max: 200, required: REQUEST_MESSAGES.titleRequired, label: "Title" });
const text = textSchema({ max: 5000, required: REQUEST_MESSAGES.textRequired, label: "Text" });

/** What the form asks for. */
const requestFormSchema = z.strictObject({
  projectId: idSchema,
  title,
  text,
  urgency: z.enum(REQUEST_URGENCIES, { error: REQUEST_MESSAGES.urgencyRequired }),
});

/** `clientRequestId` is made once per request by the author's browser and kept through retries and reloads. */
export const createRequestSchema = z.extend(requestFormSchema, {
  messageId: z.optional(idSchema),
  fileIds: z.optional(fileIdsSchema),
  clientRequestId: z.optional(idSchema),
});

/**
 * Of one project or status, the one that became a task, or all that the caller sees. `cursor` is the id of a request: the page begins
 * after it. For the page after a full one that is its last decided request, or its last one where none is decided.
 */
export const listRequestsSchema = z.strictObject({
  projectId: z.optional(idSchema),
  taskId: z.optional(idSchema),
  status: z.optional(z.enum(REQUEST_STATUSES)),
  cursor: z.optional(z.nullable(idSchema)),
  /** Sent along by the browser's query library; only forward is there. */
  direction: z.optional(z.literal("forward")),
  ...asClientKey,
});

const requestIdSchema = z.strictObject({ requestId: idSchema });
export const readRequestSchema = z.extend(requestIdSchema, asClientKey);
export const countRequestsSchema = z.optional(z.strictObject(asClientKey));

/** The task that it becomes, in its project. */
export const acceptRequestSchema = z.extend(requestIdSchema, { task: z.omit(createTaskSchema, { projectId: true }) });

/** A question or an answer. */
export const replySchema = z.extend(requestIdSchema, {
  text: textSchema({ max: 5000, required: REQUEST_MESSAGES.replyRequired, label: "Text" }),
});

export const declineRequestSchema = z.extend(requestIdSchema, {
  reason: textSchema({ max: 2000, required: REQUEST_MESSAGES.reasonRequired, label: "Reason" }),
});

/** The other one is of the same project. */
export const markDuplicateSchema = z.extend(requestIdSchema, { ofRequestId: idSchema });

export type CreateRequest = z.output<typeof createRequestSchema>;
export type AcceptRequest = z.output<typeof acceptRequestSchema>;
export type MarkDuplicate = z.output<typeof markDuplicateSchema>;
