import { NOTIFICATION_KINDS, NOTIFICATION_MAILS, type NotificationKind, type NotificationMail } from "@db/event-kinds";
import * as z from "zod/mini";
import { subjectSchema } from "./subjects";
import { idSchema } from "./text";

/** Newest first; `cursor` is the `nextCursor` of the page before. */
export const listNotificationsSchema = z.strictObject({
  unreadOnly: z.optional(z.boolean()),
  cursor: z.optional(z.nullable(z.string().check(z.maxLength(200)))),
  /** Sent along by the browser's query library; only forward is there. */
  direction: z.optional(z.literal("forward")),
});

/** Some of one's own, or all that are there now. Ids that are not one's own are passed over. */
export const markNotificationsReadSchema = z.union([
  z.strictObject({ ids: z.array(idSchema).check(z.minLength(1), z.maxLength(500)) }),
  z.strictObject({ all: z.literal(true) }),
]);

/** Whether the inbox shows a kind, and when it is mailed. */
export interface NotificationPreference {
  inApp: boolean;
  mail: NotificationMail;
}
export type NotificationPreferences = Record<NotificationKind, NotificationPreference>;

/** A kind that is not named stays as it is. */
export const notificationPreferencesSchema = z.partialRecord(
  z.enum(NOTIFICATION_KINDS),
  z.strictObject({ inApp: z.boolean(), mail: z.enum(NOTIFICATION_MAILS) }),
);

export const subjectKeySchema = z.strictObject({ subject: subjectSchema });
export const followSchema = z.strictObject({ subject: subjectSchema, following: z.boolean() });

/** The push services of the browsers' makers: the server sends nothing anywhere else. */
const PUSH_HOSTS =
  /^https:\/\/(fcm\.googleapis\.com|web\.push\.apple\.com|([a-z0-9-]+\.)*(push\.services\.mozilla\.com|notify\.windows\.com))\/[!-~]*$/;
const endpointSchema = z
  .string()
  .check(z.maxLength(1_000), z.regex(PUSH_HOSTS, { error: "This is not the address of a browser's push service." }));
const base64Schema = z.string().check(z.regex(/^[A-Za-z0-9_-]{16,120}={0,2}$/));

/** As the browser's `PushSubscription` writes itself. */
export const subscribePushSchema = z.strictObject({
  endpoint: endpointSchema,
  keys: z.strictObject({ p256dh: base64Schema, auth: base64Schema }),
});
export type PushSubscription = z.output<typeof subscribePushSchema>;

export const unsubscribePushSchema = z.strictObject({ endpoint: endpointSchema });

/** What somebody waits for is mailed at once, everything else once a day. */
export const MAILED_AT_ONCE: readonly NotificationKind[] = [
  "assigned",
  "mentioned",
  "request",
  "request-decided",
  "status-update",
  "sign-off-asked",
  "sign-off-decided",
];

/** What holds for a kind until the person has chosen something else. */
export function defaultPreference(kind: NotificationKind): NotificationPreference {
  return { inApp: true, mail: MAILED_AT_ONCE.includes(kind) ? "at-once" : "daily" };
}
