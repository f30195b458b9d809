import * as z from "zod/mini";
import { idSchema } from "./text";

/** What comments and files hang on, and what a person follows: a project itself, or one of its tasks. */
export const subjectSchema = z.union([z.strictObject({ projectId: idSchema }), z.strictObject({ taskId: idSchema })]);
export type Subject = z.output<typeof subjectSchema>;
