import { randomUUID } from "node:crypto";
import type { SessionScope } from "@db/enums";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { makeFile, makeSession, makeUser, type UserRow } from "../../db/factories";
import { backupRequests, invitations, projectTemplates, sessions, webhooks } from "../../db/schema";
import { createConfirmationToken } from "../auth/email-confirmation";
import { createResetToken } from "../auth/password-changes";
import { LIVE_TOPICS, type LiveTopic } from "../contract/live";
import type { SystemStatus } from "../contract/system";
import type { TemplateContent } from "../contract/templates";
import type { SystemGateway } from "../core/context";
import { createInvitationToken } from "../invitations/acceptance";
import { appRouter } from "../router";
import { createObjects, makeRequest, type ObjectSet, type Objects, REQUEST } from "./access-objects";
import { cheapHash, createTestCallers, refusal, type TestCaller, type TestCallers } from "./caller";
import { createTestDatabase, type TestDatabase } from "./db";

/*
 * access.md as a table. Each procedure has one row: what each kind of caller gets, on objects that no call has changed
 * before. A procedure without a row fails, and so does a row without a procedure.
 */

type Answer = "ok" | "null" | "BAD_REQUEST" | "UNAUTHORIZED" | "FORBIDDEN" | "NOT_FOUND" | "CONFLICT";
const CALLERS = ["anonymous", "pending", "rejected", "outsider", "involved", "client", "otherClient", "admin"] as const;
type CallerName = (typeof CALLERS)[number];
/** One of the people of the client of `projectId`: as the client, but for what is the client's own. */
const CLIENT_PERSON = "clientPerson";
/** Of API keys. */
const OWNERS = ["pending", "outsider", "involved", "client", "admin"] as const;
type Row = Record<CallerName, Answer>;

const row = (...answers: [Answer, Answer, Answer, Answer, Answer, Answer, Answer, Answer]): Row => {
  const [anonymous, pending, rejected, outsider, involved, client, otherClient, admin] = answers;
  return { anonymous, pending, rejected, outsider, involved, client, otherClient, admin };
};

/** Whoever may ask is answered with null. */
const withNull = ({ ...answers }: Row): Row => {
  for (const caller of CALLERS) if (answers[caller] === "ok") answers[caller] = "null";
  return answers;
};

const open = row("ok", "ok", "ok", "ok", "ok", "ok", "ok", "ok");
const own = row("UNAUTHORIZED", "FORBIDDEN", "FORBIDDEN", "ok", "ok", "ok", "ok", "ok");
const employees = row("UNAUTHORIZED", "FORBIDDEN", "FORBIDDEN", "ok", "ok", "FORBIDDEN", "FORBIDDEN", "ok");
const adminsOnly = row(
  "UNAUTHORIZED",
  "FORBIDDEN",
  "FORBIDDEN",
  "FORBIDDEN",
  "FORBIDDEN",
  "FORBIDDEN",
  "FORBIDDEN",
  "ok",
);
const readers = row("UNAUTHORIZED", "FORBIDDEN", "FORBIDDEN", "NOT_FOUND", "ok", "ok", "NOT_FOUND", "ok");
const followers = row("UNAUTHORIZED", "FORBIDDEN", "FORBIDDEN", "FORBIDDEN", "FORBIDDEN", "ok", "ok", "ok");
const followersOfOne = row("UNAUTHORIZED", "FORBIDDEN", "FORBIDDEN", "FORBIDDEN", "FORBIDDEN", "ok", "NOT_FOUND", "ok");
const editors = row("UNAUTHORIZED", "FORBIDDEN", "FORBIDDEN", "NOT_FOUND", "ok", "FORBIDDEN", "FORBIDDEN", "ok");

const refusedByRule = (answer: Answer) => [answer, answer, answer, answer, answer] as const;
const six = (answer: Answer) => [answer, ...refusedByRule(answer)] as const;
const nowhere = ["NOT_FOUND", "NOT_FOUND", "NOT_FOUND", "NOT_FOUND", "NOT_FOUND"] as const;

/** Of a comment: only who wrote it. */
const authors = {
  ofInvolved: row("UNAUTHORIZED", "FORBIDDEN", "FORBIDDEN", "NOT_FOUND", "ok", "FORBIDDEN", "NOT_FOUND", "FORBIDDEN"),
  ofClient: row("UNAUTHORIZED", "FORBIDDEN", "FORBIDDEN", "NOT_FOUND", "FORBIDDEN", "ok", "NOT_FOUND", "FORBIDDEN"),
};
const writers = row("UNAUTHORIZED", "FORBIDDEN", "FORBIDDEN", "NOT_FOUND", "ok", "FORBIDDEN", "NOT_FOUND", "ok");

/** Of a project whose managers the involved user is not among. */
const managers = row(
  ...(["UNAUTHORIZED", "FORBIDDEN", "FORBIDDEN", "NOT_FOUND", "FORBIDDEN", "FORBIDDEN", "FORBIDDEN", "ok"] as const),
);
/** Of what the client was asked. */
const signers = row(
  ...(["UNAUTHORIZED", "FORBIDDEN", "FORBIDDEN", "FORBIDDEN", "FORBIDDEN", "ok", "NOT_FOUND", "FORBIDDEN"] as const),
);
/** Of a request: who decides is a manager, who answers the client. */
const deciders = row("UNAUTHORIZED", "FORBIDDEN", "FORBIDDEN", "NOT_FOUND", "ok", "FORBIDDEN", "FORBIDDEN", "ok");
const answering = (ofClient: Answer) =>
  row("UNAUTHORIZED", "FORBIDDEN", "FORBIDDEN", "NOT_FOUND", "FORBIDDEN", ofClient, "NOT_FOUND", "FORBIDDEN");

/** Of a conversation: only who takes part, which an admin does not by being one. */
const participants = {
  involved: row("UNAUTHORIZED", "FORBIDDEN", "FORBIDDEN", "NOT_FOUND", "ok", "NOT_FOUND", "NOT_FOUND", "NOT_FOUND"),
  client: row("UNAUTHORIZED", "FORBIDDEN", "FORBIDDEN", "NOT_FOUND", "NOT_FOUND", "ok", "NOT_FOUND", "NOT_FOUND"),
  admin: row("UNAUTHORIZED", "FORBIDDEN", "FORBIDDEN", "NOT_FOUND", "NOT_FOUND", "NOT_FOUND", "NOT_FOUND", "ok"),
};

const PASSWORD = "the-present-one";

const newEmail = () => `new-${randomUUID()}@sangam.example`;
const signUp = () => ({
  name: "New Person",
  email: newEmail(),
  mobile: "+91 98200 00000",
  password: "secret-enough",
  confirmPassword: "secret-enough",
  agreeToTerms: true as const,
});
const task = { title: "A task", description: "What to do." };
const project = {
  title: "A project",
  description: "What for.",
  status: "todo" as const,
  startDate: "2026-11-20",
  assignedTo: [],
  managers: [],
};

const copy = { title: "Another one", startDate: "2026-12-01" };

const inquiry = {
  kind: "contact" as const,
  name: "A visitor",
  email: "visitor@firm.example",
  subject: "project" as const,
  message: "We need a portal.",
};

type Entry = {
  row: Row;
  /** What every API key gets; unset: what its owner gets. */
  key?: Answer;
  /** What one of the client's people gets; unset: what the client gets. */
  clientPerson?: Answer;
  call: (caller: TestCaller, objects: Objects) => Promise<unknown>;
};

const message = () => ({ text: "Hello", clientMessageId: randomUUID() });
const comment = () => ({ text: "Done?", visibility: "client" as const, clientCommentId: randomUUID() });
const inConversation: Record<string, (caller: TestCaller, conversationId: string) => Promise<unknown>> = {
  "chat.messages": (caller, conversationId) => caller.chat.messages({ conversationId }),
  "chat.send": (caller, conversationId) => caller.chat.send({ conversationId, ...message() }),
  "chat.markRead": (caller, conversationId) => caller.chat.markRead({ conversationId, upToSeq: 1 }),
  "chat.noteTyping": (caller, conversationId) => caller.chat.noteTyping({ conversationId }),
  "chat.onMessage": (caller, conversationId) => openAndClose(caller.chat.onMessage({ conversationId })),
};
const CONVERSATION_ROWS: Record<string, Entry> = Object.fromEntries(
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

const DECISIONS: Record<string, (caller: TestCaller, request: { projectId: string; id: string }) => Promise<unknown>> =
  {
    accept: (caller, { id: requestId }) => caller.requests.accept({ requestId, task }),
    askBack: (caller, { id: requestId }) => caller.requests.askBack({ requestId, text: "Which?" }),
    decline: (caller, { id: requestId }) => caller.requests.decline({ requestId, reason: "Not yet." }),
    markDuplicate: async (caller, { id: requestId, projectId }) =>
      caller.requests.markDuplicate({
        requestId,
        ofRequestId: await makeRequest(database.db, { projectId, createdBy: people.client.id }),
      }),
  };

/** As the topic's own subscription; without a row everybody's. */
const TOPIC_ROWS: Partial<Record<LiveTopic, Row>> = {
  users: adminsOnly,
  inquiries: adminsOnly,
  github: followers,
  audit: adminsOnly,
  findings: employees,
};

const MATRIX: Record<string, Entry> = {
  "files.attach": {
    row: row("UNAUTHORIZED", "FORBIDDEN", "FORBIDDEN", "NOT_FOUND", "ok", "FORBIDDEN", "NOT_FOUND", "ok"),
    call: (caller, { taskId }) => caller.files.attach({ subject: { taskId }, fileIds: [], visibility: "client" }),
  },
  "files.remove": {
    row: row("UNAUTHORIZED", "FORBIDDEN", "FORBIDDEN", "NOT_FOUND", "FORBIDDEN", "FORBIDDEN", "NOT_FOUND", "ok"),
    call: async (caller, { projectId, otherAdminId }) =>
      caller.files.remove({
        fileId: (await makeFile(database.db, { projectId, uploadedBy: otherAdminId, visibility: "client" })).id,
      }),
  },
  "files.list": { row: readers, call: (caller, { taskId }) => caller.files.list({ subject: { taskId } }) },
  "auth.me": {
    row: row("null", "FORBIDDEN", "FORBIDDEN", "ok", "ok", "ok", "ok", "ok"),
    call: (caller) => caller.auth.me(),
  },
  "auth.signUp": { row: open, call: (caller) => caller.auth.signUp(signUp()) },
  "auth.signOut": { row: open, key: "BAD_REQUEST", call: (caller) => caller.auth.signOut() },
  "users.list": { row: adminsOnly, call: (caller) => caller.users.list({}) },
  "users.assignable": { row: employees, call: (caller) => caller.users.assignable() },
  "users.clients": { row: employees, call: (caller) => caller.users.clients() },
  "users.approve": {
    row: adminsOnly,
    call: (caller, { pendingUserId }) => caller.users.approve({ userId: pendingUserId, accountType: "client" }),
  },
  "auth.signInWithGoogle": { row: open, call: (caller) => caller.auth.signInWithGoogle({ intent: "signIn" }) },
  "auth.requestPasswordReset": {
    row: open,
    call: (caller) => caller.auth.requestPasswordReset({ email: "anyone@sangam.example" }),
  },
  "auth.resetPassword": {
    row: open,
    call: async (caller, { pendingUserId }) =>
      caller.auth.resetPassword({
        token: await createResetToken(database.db, { userId: pendingUserId }),
        password: "another-one",
        confirmPassword: "another-one",
      }),
  },
  "auth.confirmEmail": {
    row: open,
    call: async (caller, { pendingUserId }) =>
      caller.auth.confirmEmail({ token: await createConfirmationToken(database.db, { userId: pendingUserId }) }),
  },
  "auth.resendConfirmation": {
    row: open,
    call: (caller) => caller.auth.resendConfirmation({ email: "anyone@sangam.example" }),
  },
  "auth.acceptInvitation": {
    row: open,
    call: async (caller) =>
      caller.auth.acceptInvitation({
        token: await createInvitationToken(database.db, { invitationId: await makeInvitation() }),
        password: "another-one",
        confirmPassword: "another-one",
        agreeToTerms: true,
      }),
  },
  "users.invite": {
    row: adminsOnly,
    call: (caller) => caller.users.invite({ name: "New Person", email: newEmail(), accountType: "user" }),
  },
  "system.status": { row: adminsOnly, call: (caller) => caller.system.status() },
  "system.sendTestMail": {
    row: adminsOnly,
    call: (caller) => caller.system.sendTestMail({ to: "anyone@sangam.example" }),
  },
  "system.backupNow": {
    row: adminsOnly,
    call: async (caller) => {
      await database.db.delete(backupRequests);
      return caller.system.backupNow();
    },
  },
  "system.mailSettings": { row: adminsOnly, call: (caller) => caller.system.mailSettings() },
  "users.invitations": { row: adminsOnly, call: (caller) => caller.users.invitations() },
  "users.resendInvitation": {
    row: adminsOnly,
    call: async (caller) => caller.users.resendInvitation({ invitationId: await makeInvitation() }),
  },
  "users.withdrawInvitation": {
    row: adminsOnly,
    call: async (caller) => caller.users.withdrawInvitation({ invitationId: await makeInvitation() }),
  },
  "users.sendInvitation": {
    row: adminsOnly,
    call: (caller, { activeUserId }) => caller.users.sendInvitation({ userId: activeUserId }),
  },
  "auth.changePassword": {
    row: own,
    key: "FORBIDDEN",
    call: (caller) => caller.auth.changePassword({ currentPassword: PASSWORD, newPassword: PASSWORD }),
  },
  "auth.apiKeys": { row: own, key: "FORBIDDEN", call: (caller) => caller.auth.apiKeys() },
  "auth.createApiKey": {
    row: own,
    key: "FORBIDDEN",
    call: (caller) => caller.auth.createApiKey({ name: "Nightly report", scope: "read" }),
  },
  "auth.revokeApiKey (another's)": {
    row: row("UNAUTHORIZED", "FORBIDDEN", "FORBIDDEN", ...nowhere),
    key: "FORBIDDEN",
    call: (caller, { foreignKeyId }) => caller.auth.revokeApiKey({ keyId: foreignKeyId }),
  },
  "auth.twoFactorStatus": { row: own, key: "FORBIDDEN", call: (caller) => caller.auth.twoFactorStatus() },
  "auth.enableTwoFactor": {
    row: own,
    key: "FORBIDDEN",
    call: (caller) => caller.auth.enableTwoFactor({ password: PASSWORD }),
  },
  // Theirs is not on.
  "auth.confirmTwoFactor": {
    row: row("UNAUTHORIZED", "FORBIDDEN", "FORBIDDEN", ...refusedByRule("BAD_REQUEST")),
    key: "FORBIDDEN",
    call: (caller) => caller.auth.confirmTwoFactor({ code: "no code" }),
  },
  "auth.disableTwoFactor": {
    row: row("UNAUTHORIZED", "FORBIDDEN", "FORBIDDEN", ...refusedByRule("BAD_REQUEST")),
    key: "FORBIDDEN",
    call: (caller) => caller.auth.disableTwoFactor({ password: PASSWORD, code: "000000" }),
  },
  "auth.renewRecoveryCodes": {
    row: row("UNAUTHORIZED", "FORBIDDEN", "FORBIDDEN", ...refusedByRule("CONFLICT")),
    key: "FORBIDDEN",
    call: (caller) => caller.auth.renewRecoveryCodes(),
  },
  "users.resetTwoFactor": {
    row: row("UNAUTHORIZED", ...six("FORBIDDEN"), "CONFLICT"),
    key: "FORBIDDEN",
    call: (caller, { activeUserId }) => caller.users.resetTwoFactor({ userId: activeUserId }),
  },
  "organisation.get": { row: own, call: (caller) => caller.organisation.get() },
  "organisation.update": {
    row: adminsOnly,
    call: (caller) => caller.organisation.update({ timeZone: "Asia/Kolkata" }),
  },
  "auth.confirmIdentity": {
    row: own,
    key: "FORBIDDEN",
    call: (caller) => caller.auth.confirmIdentity({ password: PASSWORD }),
  },
  "auth.sessions": { row: own, key: "FORBIDDEN", call: (caller) => caller.auth.sessions() },
  "auth.revokeSession (another's)": {
    row: row("UNAUTHORIZED", "FORBIDDEN", "FORBIDDEN", ...nowhere),
    key: "FORBIDDEN",
    call: (caller, { foreignSessionId }) => caller.auth.revokeSession({ sessionId: foreignSessionId }),
  },
  "auth.revokeOtherSessions": { row: own, key: "FORBIDDEN", call: (caller) => caller.auth.revokeOtherSessions() },
  "users.deactivate": {
    row: adminsOnly,
    call: (caller, { activeUserId }) => caller.users.deactivate({ userId: activeUserId }),
  },
  "users.reactivate": {
    row: adminsOnly,
    call: (caller, { rejectedUserId }) => caller.users.reactivate({ userId: rejectedUserId }),
  },
  "users.setType": {
    row: adminsOnly,
    call: (caller, { activeUserId }) => caller.users.setType({ userId: activeUserId, accountType: "client" }),
  },
  "users.exportPerson": {
    row: adminsOnly,
    key: "FORBIDDEN",
    call: (caller, { activeUserId }) => caller.users.exportPerson({ userId: activeUserId }),
  },
  "users.erasePerson": {
    row: adminsOnly,
    key: "FORBIDDEN",
    call: (caller, { activeUserId }) => caller.users.erasePerson({ userId: activeUserId }),
  },
  "users.openClientView": {
    row: adminsOnly,
    call: (caller, { clientId }) => caller.users.openClientView({ clientId }),
  },
  "projects.list (as a client)": {
    row: adminsOnly,
    call: (caller, { clientId }) => caller.projects.list({ scope: "mine", asClientId: clientId }),
  },
  "projects.byId (as a client)": {
    row: adminsOnly,
    call: (caller, { projectId, clientId }) => caller.projects.byId({ projectId, asClientId: clientId }),
  },
  "tasks.list (as a client)": {
    row: adminsOnly,
    call: (caller, { projectId, clientId }) => caller.tasks.list({ projectId, asClientId: clientId }),
  },
  "github.commits (as a client)": {
    row: adminsOnly,
    call: (caller, { projectId, clientId }) => caller.github.commits({ projectId, asClientId: clientId }),
  },
  "users.updateProfile": {
    row: own,
    key: "FORBIDDEN",
    call: (caller) => caller.users.updateProfile({ address: "Pune" }),
  },
  "users.setPhoto": {
    row: own,
    key: "FORBIDDEN",
    call: (caller) => caller.users.setPhoto({ fileId: null }),
  },
  "users.onChange": { row: adminsOnly, call: (caller) => openAndClose(caller.users.onChange()) },
  "users.reject": {
    row: adminsOnly,
    call: (caller, { pendingUserId }) => caller.users.reject({ userId: pendingUserId }),
  },
  "projects.list": { row: own, call: (caller) => caller.projects.list({ scope: "mine" }) },
  "projects.list (all)": { row: adminsOnly, call: (caller) => caller.projects.list({ scope: "all" }) },
  "projects.byId": { row: readers, call: (caller, { projectId }) => caller.projects.byId({ projectId }) },
  "projects.create": { row: employees, call: (caller) => caller.projects.create(project) },
  "projects.update": {
    row: editors,
    call: (caller, { projectId }) => caller.projects.update({ projectId, version: 1, patch: { title: "Changed" } }),
  },
  "projects.update (client collaboration)": {
    row: row("UNAUTHORIZED", "FORBIDDEN", "FORBIDDEN", "NOT_FOUND", "FORBIDDEN", "FORBIDDEN", "FORBIDDEN", "ok"),
    call: (caller, { projectId }) =>
      caller.projects.update({ projectId, version: 1, patch: { clientCollaboration: true } }),
  },
  "projects.update (client people)": {
    row: editors,
    call: (caller, { projectId }) => caller.projects.update({ projectId, version: 1, patch: { clientPeople: [] } }),
  },
  "projects.templates": { row: employees, call: (caller) => caller.projects.templates() },
  "projects.createFromTemplate": {
    row: employees,
    call: async (caller) => caller.projects.createFromTemplate({ templateId: await makeTemplate(), ...copy }),
  },
  "projects.duplicate": {
    row: editors,
    call: (caller, { projectId }) => caller.projects.duplicate({ projectId, ...copy }),
  },
  // Of another one: who saved it deletes their own.
  "projects.deleteTemplate": {
    row: row("UNAUTHORIZED", "FORBIDDEN", "FORBIDDEN", "FORBIDDEN", "FORBIDDEN", "FORBIDDEN", "FORBIDDEN", "ok"),
    call: async (caller) => caller.projects.deleteTemplate({ templateId: await makeTemplate() }),
  },
  "projects.delete": { row: adminsOnly, call: (caller, { projectId }) => caller.projects.delete({ projectId }) },
  "projects.onChange": { row: own, call: (caller) => openAndClose(caller.projects.onChange()) },
  "projects.onChange (one)": {
    row: readers,
    call: (caller, { projectId }) => openAndClose(caller.projects.onChange({ projectId })),
  },
  "tasks.list": { row: readers, call: (caller, { projectId }) => caller.tasks.list({ projectId }) },
  "tasks.create": { row: editors, call: (caller, { projectId }) => caller.tasks.create({ projectId, ...task }) },
  "tasks.update": {
    row: editors,
    call: (caller, { taskId }) => caller.tasks.update({ taskId, patch: { title: "Changed" } }),
  },
  "tasks.setCompleted": {
    row: editors,
    call: (caller, { taskId }) => caller.tasks.setCompleted({ taskId, completed: true }),
  },
  "tasks.move": { row: editors, call: (caller, { taskId }) => caller.tasks.move({ taskId, afterTaskId: null }) },
  "tasks.move (after another project's task)": {
    row: row("UNAUTHORIZED", "FORBIDDEN", "FORBIDDEN", "NOT_FOUND", "NOT_FOUND", "FORBIDDEN", "FORBIDDEN", "NOT_FOUND"),
    call: (caller, { taskId, foreignTaskId }) => caller.tasks.move({ taskId, afterTaskId: foreignTaskId }),
  },
  "tasks.byKey": { row: readers, call: (caller, { taskKey }) => caller.tasks.byKey({ key: taskKey }) },
  "tasks.byKey (as a client)": {
    row: adminsOnly,
    call: (caller, { taskKey, clientId }) => caller.tasks.byKey({ key: taskKey, asClientId: clientId }),
  },
  "tasks.mine": { row: own, call: (caller) => caller.tasks.mine() },
  "overview.sinceLastVisit": { row: own, call: (caller) => caller.overview.sinceLastVisit() },
  "overview.changes": {
    row: own,
    call: (caller) => caller.overview.changes({ since: "2026-11-01T00:00:00Z", kind: "tasksDone" }),
  },
  "overview.markSeen": { row: own, call: (caller) => caller.overview.markSeen({ upTo: new Date() }) },
  "overview.waiting": { row: own, call: (caller) => caller.overview.waiting() },
  "overview.replyTimes": { row: adminsOnly, call: (caller) => caller.overview.replyTimes() },
  "chat.settleTurn (one's own)": {
    row: adminsOnly,
    call: (caller, { conversations }) => caller.chat.settleTurn({ conversationId: conversations.admin, upToSeq: 1 }),
  },
  "chat.settleTurn (another admin's)": {
    row: row("UNAUTHORIZED", ...six("FORBIDDEN"), "NOT_FOUND"),
    call: (caller, { conversations }) => caller.chat.settleTurn({ conversationId: conversations.client, upToSeq: 1 }),
  },
  "projects.calendar": {
    row: own,
    call: (caller) => caller.projects.calendar({ from: "2026-11-01", to: "2026-11-30" }),
  },
  "projects.history": { row: own, call: (caller) => caller.projects.history({}) },
  "projects.history (one)": { row: readers, call: (caller, { projectId }) => caller.projects.history({ projectId }) },
  "projects.history (of a task)": { row: readers, call: (caller, { taskId }) => caller.projects.history({ taskId }) },
  "projects.history (as a client)": {
    row: adminsOnly,
    call: (caller, { projectId, clientId }) => caller.projects.history({ projectId, asClientId: clientId }),
  },
  "labels.list": { row: own, call: (caller) => caller.labels.list() },
  "labels.usage": { row: employees, call: (caller, { labelId }) => caller.labels.usage({ labelId }) },
  "labels.create": {
    row: employees,
    call: (caller) => caller.labels.create({ name: randomUUID(), colour: "blue" }),
  },
  "labels.update": { row: employees, call: (caller, { labelId }) => caller.labels.update({ labelId, colour: "red" }) },
  "labels.delete": { row: employees, call: (caller, { labelId }) => caller.labels.delete({ labelId }) },
  "labels.onChange": { row: own, call: (caller) => openAndClose(caller.labels.onChange()) },
  "users.team": { row: employees, call: (caller) => caller.users.team() },
  "search.all": { row: own, call: (caller) => caller.search.all({ q: "project" }) },
  "search.all (as a client)": {
    row: adminsOnly,
    call: (caller, { clientId }) => caller.search.all({ q: "project", asClientId: clientId }),
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
  "users.holdings": {
    row: adminsOnly,
    call: (caller, { activeUserId }) => caller.users.holdings({ userId: activeUserId }),
  },
  "users.handOverAll": {
    row: adminsOnly,
    call: (caller, { activeUserId, otherAdminId }) =>
      caller.users.handOverAll({ userId: activeUserId, toUserId: otherAdminId }),
  },
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
  "comments.onChange": {
    row: readers,
    call: (caller, { taskId }) => openAndClose(caller.comments.onChange({ subject: { taskId } })),
  },
  "comments.markRead": {
    row: readers,
    call: (caller, { projectId }) => caller.comments.markRead({ subject: { projectId }, upToSeq: 1 }),
  },
  "signOffs.list": {
    row: readers,
    call: (caller, { open: { projectId } }) => caller.signOffs.list({ projectId }),
  },
  "signOffs.list (of all projects)": { row: own, call: (caller) => caller.signOffs.list({}) },
  "signOffs.list (as a client)": {
    row: adminsOnly,
    call: (caller, { open: { projectId }, clientId }) => caller.signOffs.list({ projectId, asClientId: clientId }),
  },
  "signOffs.byId": {
    row: readers,
    call: (caller, { signOffs }) => caller.signOffs.byId({ signOffId: signOffs.closed }),
  },
  "signOffs.byId (as a client)": {
    row: adminsOnly,
    call: (caller, { signOffs, clientId }) => caller.signOffs.byId({ signOffId: signOffs.open, asClientId: clientId }),
  },
  // The involved user manages nothing; server/sign-offs/router.test.ts has managers.
  "signOffs.ask": {
    row: managers,
    call: (caller, { open: { projectId } }) => caller.signOffs.ask({ projectId, all: true, note: "Please." }),
  },
  "signOffs.ask (without client collaboration)": {
    row: { ...managers, admin: "CONFLICT" },
    call: (caller, { projectId }) => caller.signOffs.ask({ projectId, all: true, note: "Please." }),
  },
  "signOffs.withdraw": {
    row: managers,
    call: (caller, { signOffs }) => caller.signOffs.withdraw({ signOffId: signOffs.open }),
  },
  "signOffs.approve": {
    row: signers,
    // One of the client's people, who was not asked.
    clientPerson: "FORBIDDEN",
    call: (caller, { signOffs }) => caller.signOffs.approve({ signOffId: signOffs.open }),
  },
  "signOffs.approve (without client collaboration)": {
    row: { ...signers, client: "FORBIDDEN" },
    // One of the client's people, who was not asked.
    clientPerson: "FORBIDDEN",
    call: (caller, { signOffs }) => caller.signOffs.approve({ signOffId: signOffs.closed }),
  },
  "signOffs.requestChanges": {
    row: signers,
    // One of the client's people, who was not asked.
    clientPerson: "FORBIDDEN",
    call: (caller, { signOffs }) => caller.signOffs.requestChanges({ signOffId: signOffs.open, reason: "Not yet." }),
  },
  "signOffs.requestChanges (without client collaboration)": {
    row: { ...signers, client: "FORBIDDEN" },
    // One of the client's people, who was not asked.
    clientPerson: "FORBIDDEN",
    call: (caller, { signOffs }) => caller.signOffs.requestChanges({ signOffId: signOffs.closed, reason: "No." }),
  },
  "statusUpdates.list": { row: readers, call: (caller, { projectId }) => caller.statusUpdates.list({ projectId }) },
  "statusUpdates.list (as a client)": {
    row: adminsOnly,
    call: (caller, { projectId, clientId }) => caller.statusUpdates.list({ projectId, asClientId: clientId }),
  },
  ...Object.fromEntries(
    (["managed", "projectId"] as const).flatMap((which): [string, Entry][] => {
      const idOf = (objects: Objects) => objects[which];
      // Who only takes part sees the project, and writes nothing to its client.
      const managers = { ...editors, involved: which === "managed" ? ("ok" as const) : ("FORBIDDEN" as const) };
      const name = which === "managed" ? "of its managers" : "of others";
      return [
        [
          `statusUpdates.draft (${name})`,
          { row: managers, call: (caller, objects) => caller.statusUpdates.draft({ projectId: idOf(objects) }) },
        ],
        [
          `statusUpdates.send (${name})`,
          {
            row: managers,
            call: (caller, objects) =>
              caller.statusUpdates.send({ projectId: idOf(objects), health: "on-track", text: "All is well." }),
          },
        ],
        [
          `projects.saveAsTemplate (${name})`,
          { row: managers, call: (caller, objects) => caller.projects.saveAsTemplate({ projectId: idOf(objects) }) },
        ],
        [
          `projects.findings (${name})`,
          { row: managers, call: (caller, objects) => caller.projects.findings({ projectId: idOf(objects) }) },
        ],
        [
          `projects.livePulse (${name})`,
          {
            // It has no live link.
            row: withNull(managers),
            call: (caller, objects) => caller.projects.livePulse({ projectId: idOf(objects) }),
          },
        ],
        [
          `projects.update (status reminder, ${name})`,
          {
            row: managers,
            call: (caller, objects) =>
              caller.projects.update({ projectId: idOf(objects), version: 1, patch: { statusReminder: true } }),
          },
        ],
      ];
    }),
  ),
  "projects.findings": { row: employees, call: (caller) => caller.projects.findings() },
  "requests.list": { row: own, call: (caller) => caller.requests.list({}) },
  "requests.list (of a project)": {
    row: readers,
    call: (caller, { requests: { closed } }) => caller.requests.list({ projectId: closed.projectId }),
  },
  "requests.list (as a client)": {
    row: adminsOnly,
    call: (caller, { clientId }) => caller.requests.list({ asClientId: clientId }),
  },
  "requests.byId": {
    row: readers,
    call: (caller, { requests: { closed } }) => caller.requests.byId({ requestId: closed.id }),
  },
  "requests.byId (as a client)": {
    row: adminsOnly,
    call: (caller, { requests: { open }, clientId }) =>
      caller.requests.byId({ requestId: open.id, asClientId: clientId }),
  },
  "requests.counts": { row: own, call: (caller) => caller.requests.counts() },
  "requests.counts (as a client)": {
    row: adminsOnly,
    call: (caller, { clientId }) => caller.requests.counts({ asClientId: clientId }),
  },
  "requests.create": {
    row: readers,
    call: (caller, { requests: { open } }) => caller.requests.create({ projectId: open.projectId, ...REQUEST }),
  },
  "requests.create (without client collaboration)": {
    row: writers,
    call: (caller, { requests: { closed } }) => caller.requests.create({ projectId: closed.projectId, ...REQUEST }),
  },
  "requests.answer": {
    row: answering("ok"),
    call: (caller, { requests: { open } }) => caller.requests.answer({ requestId: open.id, text: "Yes." }),
  },
  "requests.answer (without client collaboration)": {
    row: answering("FORBIDDEN"),
    call: (caller, { requests: { closed } }) => caller.requests.answer({ requestId: closed.id, text: "Yes." }),
  },
  ...Object.fromEntries(
    Object.entries(DECISIONS).flatMap(([name, decide]): [string, Entry][] => [
      [`requests.${name}`, { row: deciders, call: (caller, { requests: { closed } }) => decide(caller, closed) }],
      [
        `requests.${name} (of a project that one does not manage)`,
        {
          row: { ...deciders, involved: "FORBIDDEN" },
          call: (caller, { requests: { unmanaged } }) => decide(caller, unmanaged),
        },
      ],
    ]),
  ),
  "requests.onChange": { row: own, call: (caller) => openAndClose(caller.requests.onChange()) },
  "feeds.calendar": { row: own, call: (caller) => caller.feeds.calendar() },
  "feeds.createCalendar": { row: own, call: (caller) => caller.feeds.createCalendar() },
  "feeds.revokeCalendar": { row: own, call: (caller) => caller.feeds.revokeCalendar() },
  "webhooks.list": { row: adminsOnly, call: (caller) => caller.webhooks.list() },
  "webhooks.create": {
    row: adminsOnly,
    key: "FORBIDDEN",
    call: async (caller) => {
      await database.db.delete(webhooks);
      return caller.webhooks.create({ url: "http://127.0.0.1:9/", kinds: ["comment"] });
    },
  },
  ...Object.fromEntries(
    (["delete", "deliveries", "sendTest"] as const).map((name): [string, Entry] => [
      `webhooks.${name}`,
      {
        row: adminsOnly,
        call: async (caller) => caller.webhooks[name]({ webhookId: await makeWebhook() }),
      },
    ]),
  ),
  "vitals.summary": { row: adminsOnly, call: (caller) => caller.vitals.summary() },
  "github.commits": { row: followers, call: (caller) => caller.github.commits() },
  "github.commits (one)": {
    row: followersOfOne,
    call: (caller, { projectId }) => caller.github.commits({ projectId }),
  },
  "github.onChange": { row: followers, call: (caller) => openAndClose(caller.github.onChange()) },
  "github.onChange (one)": {
    row: followersOfOne,
    call: (caller, { projectId }) => openAndClose(caller.github.onChange({ projectId })),
  },
  "github.refresh": { row: adminsOnly, call: (caller) => caller.github.refresh() },
  "github.refresh (one)": { row: adminsOnly, call: (caller, { projectId }) => caller.github.refresh({ projectId }) },
  "github.tokenStatus": { row: adminsOnly, call: (caller) => caller.github.tokenStatus() },
  "github.setToken": {
    row: adminsOnly,
    key: "FORBIDDEN",
    call: (caller) => caller.github.setToken({ token: "ghp_of_the_tests", owners: ["konkan"] }),
  },
  "github.removeToken": { row: adminsOnly, call: (caller) => caller.github.removeToken() },
  "inquiries.submit": { row: open, call: (caller) => caller.inquiries.submit(inquiry) },
  "inquiries.list": { row: adminsOnly, call: (caller) => caller.inquiries.list({}) },
  "inquiries.setStatus": {
    row: adminsOnly,
    call: (caller, { inquiryId }) => caller.inquiries.setStatus({ inquiryId, status: "answered" }),
  },
  "inquiries.onChange": { row: adminsOnly, call: (caller) => openAndClose(caller.inquiries.onChange()) },
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
  "audit.list": { row: adminsOnly, call: (caller) => caller.audit.list({}) },
  ...Object.fromEntries(
    LIVE_TOPICS.map((topic): [string, Entry] => [
      `live.onEvent (${topic})`,
      {
        row: TOPIC_ROWS[topic] ?? own,
        call: (caller) => openAndClose(caller.live.onEvent({ topics: ["projects", topic] })),
      },
    ]),
  ),
  "audit.onChange": { row: adminsOnly, call: (caller) => openAndClose(caller.audit.onChange()) },
  "tasks.delete": { row: editors, call: (caller, { taskId }) => caller.tasks.delete({ taskId }) },
};

/** Sessions are made over HTTP only; server/test/http.test.ts and server/auth/two-factor.test.ts hold these rows. */
const TESTED_OVER_HTTP = ["auth.signIn", "auth.verifyTwoFactor"];

let unchanged: ObjectSet | undefined;
/** By row, the names of the objects that its call reads. */
const reads = new Map<string, Set<string>>();
const signedIn = new Map<string, Promise<TestCaller>>();
let database: TestDatabase;
let callers: TestCallers;
let people: Record<Exclude<CallerName, "anonymous"> | typeof CLIENT_PERSON, UserRow>;

beforeAll(async () => {
  database = await createTestDatabase();
  const system: SystemGateway = {
    readStatus: async () => ({}) as SystemStatus,
    sendTestMail: async () => ({ outcome: "accepted", answer: "250 OK" }),
  };
  callers = createTestCallers(database.db, { system });
  const { db } = database;
  const passwordHash = cheapHash(PASSWORD);
  people = {
    pending: await makeUser(db, { accountStatus: "pending" }),
    rejected: await makeUser(db, { accountStatus: "rejected" }),
    outsider: await makeUser(db, { passwordHash }),
    involved: await makeUser(db, { passwordHash }),
    client: await makeUser(db, { accountType: "client", passwordHash }),
    clientPerson: await makeUser(db, { accountType: "client", passwordHash }),
    otherClient: await makeUser(db, { accountType: "client", passwordHash }),
    admin: await makeUser(db, { accountType: "admin", passwordHash }),
  };
});
afterAll(() => database.close());

test("every procedure of the router has a row, and every row a procedure", () => {
  const procedures = Object.keys(appRouter._def.procedures).sort();
  const rows = new Set([...Object.keys(MATRIX).map((name) => name.replace(/ \(.*\)$/, "")), ...TESTED_OVER_HTTP]);
  expect([...rows].sort()).toEqual(procedures);
});

describe.each(Object.entries(MATRIX))("%s", (name, { row: expected, key: ofKeys, clientPerson, call }) => {
  const procedure = name.replace(/ \(.*\)$/, "");
  test.each(CALLERS)("answers %s as access.md says", async (who) => {
    const caller = who === "anonymous" ? callers.anonymous : await callerOf(who);
    expect(await answerOf(procedure, call(caller, await unchangedObjects(name)))).toBe(expected[who]);
  });

  test("answers one of the client's people as access.md says", async () => {
    const answer = await answerOf(procedure, call(await callerOf(CLIENT_PERSON), await unchangedObjects(name)));
    expect(answer).toBe(clientPerson ?? expected.client);
  });

  test.each(OWNERS)("answers an API key of %s as access.md says", async (who) => {
    const answer = await answerOf(procedure, call(await callerOf(who, "write"), await unchangedObjects(name)));
    expect(answer).toBe(ofKeys ?? expected[who]);
  });

  test("answers a key that may only read as its owner, but changes nothing", async () => {
    const changes = expected !== open && typeOf(procedure) === "mutation";
    for (const who of OWNERS) {
      const answer = await answerOf(procedure, call(await callerOf(who, "read"), await unchangedObjects(name)));
      expect(answer, who).toBe(ofKeys ?? (changes ? "FORBIDDEN" : expected[who]));
    }
  });
});

function answerOf(procedure: string, call: Promise<unknown>): Promise<unknown> {
  return call.then(
    (value) => {
      if (typeOf(procedure) === "mutation") {
        unchanged = undefined;
        signedIn.clear();
      }
      return value === null ? "null" : "ok";
    },
    (error: unknown) => (error instanceof Error && "code" in error ? error.code : error),
  );
}

/** Of one set for all calls up to the next mutation that succeeds: what a row's first call has read is made for its others. */
async function unchangedObjects(rowName: string): Promise<Objects> {
  unchanged ??= newObjects();
  const known = reads.get(rowName);
  if (known) return unchanged.pick((name) => known.has(name));
  const read = new Set<string>();
  reads.set(rowName, read);
  return new Proxy(await unchanged.pick(() => true), {
    get(objects, name) {
      read.add(String(name));
      return Reflect.get(objects, name);
    },
  });
}

function newObjects(): ObjectSet {
  return createObjects({ db: database.db, people, callers });
}

function projectAndTask(): Promise<Objects> {
  return newObjects().pick((name) => name === "projectId" || name === "taskId");
}

/** With a session, or with an API key of that scope: one for all calls up to the next mutation that succeeds, which may end it. */
function callerOf(who: keyof typeof people, scope?: SessionScope): Promise<TestCaller> {
  const make = async () => {
    if (scope === undefined) return callers.as(people[who]);
    return callers.withToken((await callers.makeKey(people[who], scope)).token);
  };
  // Of people who may not sign in, the first call ends the session.
  if (who === "pending" || who === "rejected") return make();
  const name = `${who} ${scope}`;
  const caller = signedIn.get(name) ?? make();
  signedIn.set(name, caller);
  return caller;
}

/** Flat at run time, where its type is a tree. */
function typeOf(name: string): unknown {
  const procedure: unknown = new Map<string, unknown>(Object.entries(appRouter._def.procedures)).get(name);
  const definition = typeof procedure === "function" && "_def" in procedure ? procedure._def : null;
  return typeof definition === "object" && definition && "type" in definition ? definition.type : undefined;
}

test("a session left over from a refused account is deleted by its first call", async () => {
  const left = await makeSession(database.db, { userId: people.rejected.id });
  await refusal(callers.withToken(left.token).projects.list({ scope: "mine" }));
  const rows = await database.db.select({ id: sessions.id }).from(sessions);
  expect(rows.map(({ id }) => id)).not.toContain(left.id);
});

test("a foreign object and one that does not exist are refused in the same words", async () => {
  const { projectId, taskId } = await projectAndTask();
  const outsider = await callers.as(people.outsider);
  expect(await refusal(outsider.projects.byId({ projectId }))).toEqual(
    await refusal(outsider.projects.byId({ projectId: randomUUID() })),
  );
  expect(await refusal(outsider.tasks.setCompleted({ taskId, completed: true }))).toEqual(
    await refusal(outsider.tasks.setCompleted({ taskId: randomUUID(), completed: true })),
  );
});

test("roles are refused before the input is looked at, and the shape before the object", async () => {
  const client = await callers.as(people.client);
  const outsider = await callers.as(people.outsider);
  const { projectId } = await projectAndTask();
  const misshapen = { projectId, version: 1, patch: { title: "" } };
  expect((await refusal(client.projects.update(misshapen))).code).toBe("FORBIDDEN");
  expect((await refusal(outsider.projects.update(misshapen))).code).toBe("BAD_REQUEST");
});

/** Of an admin who is none of the callers. */
async function makeTemplate(): Promise<string> {
  const { id: createdBy } = await makeUser(database.db, { accountType: "admin" });
  const content: TemplateContent = {
    ...{ description: "What for.", projectType: null, dueAfterDays: 7, assignedTo: [], managers: [], tasks: [] },
    ...{ clientCollaboration: false, statusReminder: false, commitMode: "titles", maskedWords: [] },
  };
  const [made] = await database.db.insert(projectTemplates).values({ title: "Portal", content, createdBy }).returning();
  return made?.id ?? "";
}

async function makeWebhook(): Promise<string> {
  const [made] = await database.db
    .insert(webhooks)
    .values({
      ...{ url: "http://127.0.0.1:9/", kinds: ["comment"], createdBy: people.admin.id },
      ...{ sealedSecret: "none", keyId: "none" },
    })
    .returning({ id: webhooks.id });
  return made?.id ?? "";
}

async function makeInvitation(): Promise<string> {
  const [made] = await database.db
    .insert(invitations)
    .values({ email: newEmail(), name: "New Person", accountType: "user", expiresAt: new Date(Date.now() + 3_600_000) })
    .returning({ id: invitations.id });
  return made?.id ?? "";
}

async function openAndClose(opening: Promise<AsyncIterable<unknown>>): Promise<string> {
  const iterator = (await opening)[Symbol.asyncIterator]();
  await iterator.return?.();
  return "opened";
}
