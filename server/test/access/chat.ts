import { randomUUID } from "node:crypto";
import type { TestCaller } from "../caller";
import { adminsOnly, type Entry, editors, openAndClose, own, participants, type Rows, row, six } from "./rows";

const message = () => ({ text: "Hello", clientMessageId: randomUUID() });
const inConversation: Record<string, (caller: TestCaller, conversationId: string) => Promise<unknown>> = {
  "chat.messages": (caller, conversationId) => caller.chat.messages({ conversationId }),
  "chat.send": (caller, conversationId) => caller.chat.send({ conversationId, ...message() }),
  "chat.markRead": (caller, conversationId) => caller.chat.markRead({ conversationId, upToSeq: 1 }),
  "chat.noteTyping": (caller, conversationId) => caller.chat.noteTyping({ conversationId }),
  "chat.onMessage": (caller, conversationId) => openAndClose(caller.chat.onMessage({ conversationId })),
};
const CONVERSATION_ROWS: Rows = Object.fromEntries(
  Object.entries(inConversation).flatMap(([name, call]) =>
    (["involved", "client", "admin"] as const).map((who): [string, Entry] => [
      `${name} (of ${who})`,
      {
        row: participants[who],
        clientPerson: "NOT_FOUND",
        call: (caller, objects) => call(caller, objects.conversations[who]),
      },
    ]),
  ),
);

/** Rows of the access matrix. */
export const CHAT: Rows = {
  "chat.settleTurn (one's own)": {
    row: adminsOnly,
    call: (caller, { conversations }) => caller.chat.settleTurn({ conversationId: conversations.admin, upToSeq: 1 }),
  },
  "chat.settleTurn (another admin's)": {
    row: row("UNAUTHORIZED", ...six("FORBIDDEN"), "NOT_FOUND"),
    call: (caller, { conversations }) => caller.chat.settleTurn({ conversationId: conversations.client, upToSeq: 1 }),
  },
  "chat.toTask": {
    row: editors,
    call: (caller, { projectId, messages }) =>
      caller.chat.toTask({ messageId: messages.involved, projectId, title: "A task" }),
  },
  "chat.toTask (of a project of others)": {
    row: row("UNAUTHORIZED", "FORBIDDEN", "FORBIDDEN", "NOT_FOUND", "NOT_FOUND", "FORBIDDEN", "FORBIDDEN", "NOT_FOUND"),
    call: (caller, { messages }) =>
      caller.chat.toTask({ messageId: messages.involved, projectId: randomUUID(), title: "A task" }),
  },
  "chat.handOver": {
    row: adminsOnly,
    call: (caller, { conversations, otherAdminId }) =>
      caller.chat.handOver({ conversationId: conversations.admin, toUserId: otherAdminId }),
  },
  "chat.handOver (another admin's)": {
    row: { ...adminsOnly, admin: "NOT_FOUND" },
    call: (caller, { conversations, otherAdminId }) =>
      caller.chat.handOver({ conversationId: conversations.client, toUserId: otherAdminId }),
  },
  "chat.takeBack": {
    row: adminsOnly,
    call: (caller, { conversations }) => caller.chat.takeBack({ conversationId: conversations.covered }),
  },
  "chat.takeBack (another admin's)": {
    row: { ...adminsOnly, admin: "NOT_FOUND" },
    call: (caller, { conversations }) => caller.chat.takeBack({ conversationId: conversations.client }),
  },
  "chat.ofInactiveAdmins": { row: adminsOnly, call: (caller) => caller.chat.ofInactiveAdmins() },
  "chat.conversations": { row: own, call: (caller) => caller.chat.conversations() },
  "chat.onInbox": { row: own, call: (caller) => openAndClose(caller.chat.onInbox()) },
  "chat.onPresence": { row: own, call: (caller) => openAndClose(caller.chat.onPresence()) },
  "chat.recipients": { row: own, call: (caller) => caller.chat.recipients() },
  "chat.start (with an admin)": {
    row: row("UNAUTHORIZED", "FORBIDDEN", "FORBIDDEN", "ok", "ok", "ok", "ok", "NOT_FOUND"),
    call: (caller, { otherAdminId }) => caller.chat.start({ recipientId: otherAdminId, ...message() }),
  },
  "chat.start (with a user)": {
    row: row("UNAUTHORIZED", "FORBIDDEN", "FORBIDDEN", "NOT_FOUND", "NOT_FOUND", "NOT_FOUND", "NOT_FOUND", "ok"),
    call: (caller, { activeUserId }) => caller.chat.start({ recipientId: activeUserId, ...message() }),
  },
  ...CONVERSATION_ROWS,
};
