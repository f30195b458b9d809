import { randomUUID } from "node:crypto";
import { makeFile } from "../../../db/factories";
import { adminsOnly, authors, type Entry, openAndClose, own, type Rows, readers, row, writers } from "./rows";

const comment = () => ({ text: "Done?", visibility: "client" as const, clientCommentId: randomUUID() });
/** Rows of the access matrix. */
export const DISCUSSION: Rows = {
  "comments.list": {
    row: readers,
    call: (caller, { projectId }) => caller.comments.list({ subject: { projectId } }),
  },
  "comments.list (of a task)": {
    row: readers,
    call: (caller, { taskId }) => caller.comments.list({ subject: { taskId } }),
  },
  "comments.list (as a client)": {
    row: adminsOnly,
    call: (caller, { taskId, clientId }) => caller.comments.list({ subject: { taskId }, asClientId: clientId }),
  },
  "comments.mentionable": {
    row: readers,
    call: (caller, { taskId }) => caller.comments.mentionable({ subject: { taskId } }),
  },
  "comments.create": {
    row: readers,
    call: (caller, { open: { projectId } }) => caller.comments.create({ subject: { projectId }, ...comment() }),
  },
  "comments.create (without client collaboration)": {
    row: writers,
    call: (caller, { taskId }) => caller.comments.create({ subject: { taskId }, ...comment() }),
  },
  ...Object.fromEntries(
    (["ofInvolved", "ofClient"] as const).flatMap((whose): [string, Entry][] => [
      [
        `comments.update (${whose})`,
        {
          row: authors[whose],
          clientPerson: "FORBIDDEN",
          call: (caller, { open }) => caller.comments.update({ commentId: open[whose], text: "Done." }),
        },
      ],
      [
        `comments.delete (${whose})`,
        {
          row: { ...authors[whose], admin: "ok" },
          clientPerson: "FORBIDDEN",
          call: (caller, { open }) => caller.comments.delete({ commentId: open[whose] }),
        },
      ],
    ]),
  ),
  "comments.update (without client collaboration)": {
    row: { ...authors.ofClient, client: "FORBIDDEN" },
    call: (caller, { closed }) => caller.comments.update({ commentId: closed.ofClient, text: "Done." }),
  },
  "comments.delete (without client collaboration)": {
    row: { ...authors.ofClient, client: "FORBIDDEN", admin: "ok" },
    call: (caller, { closed }) => caller.comments.delete({ commentId: closed.ofClient }),
  },
  "comments.onChange": {
    row: readers,
    call: (caller, { taskId }) => openAndClose(caller.comments.onChange({ subject: { taskId } })),
  },
  "comments.markRead": {
    row: readers,
    call: (caller, { projectId }) => caller.comments.markRead({ subject: { projectId }, upToSeq: 1 }),
  },
  "notifications.list": { row: own, call: (caller) => caller.notifications.list({}) },
  "notifications.unread": { row: own, call: (caller) => caller.notifications.unread() },
  "notifications.markRead": { row: own, call: (caller) => caller.notifications.markRead({ all: true }) },
  "notifications.onChange": { row: own, call: (caller) => openAndClose(caller.notifications.onChange()) },
  "notifications.preferences": { row: own, call: (caller) => caller.notifications.preferences() },
  "notifications.setPreferences": {
    row: own,
    call: (caller) => caller.notifications.setPreferences({ comment: { inApp: true, mail: "off" } }),
  },
  "notifications.pushKey": { row: own, key: "FORBIDDEN", call: (caller) => caller.notifications.pushKey() },
  "notifications.subscribePush": {
    row: own,
    key: "FORBIDDEN",
    call: (caller) =>
      caller.notifications.subscribePush({
        endpoint: `https://fcm.googleapis.com/fcm/send/${randomUUID()}`,
        keys: { p256dh: "B".repeat(87), auth: "A".repeat(22) },
      }),
  },
  "notifications.unsubscribePush": {
    row: own,
    key: "FORBIDDEN",
    call: (caller) => caller.notifications.unsubscribePush({ endpoint: "https://fcm.googleapis.com/fcm/send/none" }),
  },
  "notifications.following": {
    row: readers,
    call: (caller, { projectId }) => caller.notifications.following({ subject: { projectId } }),
  },
  "notifications.follow": {
    row: readers,
    call: (caller, { taskId }) => caller.notifications.follow({ subject: { taskId }, following: true }),
  },
  "files.attach (without client collaboration)": {
    row: row("UNAUTHORIZED", "FORBIDDEN", "FORBIDDEN", "NOT_FOUND", "ok", "FORBIDDEN", "NOT_FOUND", "ok"),
    call: (caller, { taskId }) => caller.files.attach({ subject: { taskId }, fileIds: [], visibility: "client" }),
  },
  "files.attach": {
    row: readers,
    call: async (caller, { open: { projectId } }, db) => {
      const uploadedBy = (await caller.auth.me())?.id;
      const fileIds = uploadedBy ? [(await makeFile(db, { uploadedBy })).id] : [randomUUID()];
      return caller.files.attach({ subject: { projectId }, fileIds, visibility: "client" });
    },
  },
  "files.remove": {
    row: row("UNAUTHORIZED", "FORBIDDEN", "FORBIDDEN", "NOT_FOUND", "FORBIDDEN", "FORBIDDEN", "NOT_FOUND", "ok"),
    call: (caller, { foreignFileId }) => caller.files.remove({ fileId: foreignFileId }),
  },
  "files.list": { row: readers, call: (caller, { taskId }) => caller.files.list({ subject: { taskId } }) },
};
