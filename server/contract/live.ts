import * as z from "zod/mini";
import { resumeKey } from "./text";

/**
 * What a tab may follow in one stream. Users, inquiries and the audit are for admins, GitHub is for clients and admins,
 * findings are for users and admins.
 */
export const LIVE_TOPICS = [
  "projects",
  "inbox",
  "presence",
  "notifications",
  "users",
  "inquiries",
  "github",
  "audit",
  "labels",
  "requests",
  "findings",
] as const;
export type LiveTopic = (typeof LIVE_TOPICS)[number];

export const watchTopicsSchema = z.strictObject({
  topics: z
    .array(z.enum(LIVE_TOPICS))
    .check(z.minLength(1, { error: "Choose what to follow." }), z.maxLength(LIVE_TOPICS.length)),
  ...resumeKey,
});
