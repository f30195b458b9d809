import type { InquiryStatus } from "@db/enums";
import type { AuditKind } from "@db/event-kinds";
import { PROJECT_MESSAGES } from "@server/contract/messages/projects";
import type { ListProjects } from "@server/contract/projects";
import type { AuditEvent } from "@server/contract/views";
import { isolate } from "@/lib/bidi";

/** Labels of the kinds in the filter, by group. */
export const KIND_GROUPS: readonly { label: string; kinds: Partial<Record<AuditKind, string>> }[] = [
  {
    label: "Accounts",
    kinds: {
      "account.approved": "Account approved",
      "account.rejected": "Account rejected",
      "account.deactivated": "Account deactivated",
      "account.reactivated": "Account reactivated",
      "account.type-changed": "Account type changed",
      "account.made-admin": "Admin made by the server",
      "account.exported": "Personal data exported",
      "account.erased": "Person erased",
      "invitation.sent": "Invitation sent",
      "invitation.withdrawn": "Invitation withdrawn",
      "invitation.accepted": "Invitation accepted",
    },
  },
  {
    label: "Signing in",
    kinds: {
      "password.changed": "Password changed",
      "password.reset": "Password reset",
      "two-factor.enabled": "Two-factor sign-in turned on",
      "two-factor.disabled": "Two-factor sign-in turned off",
      "two-factor.reset": "Two-factor sign-in reset",
      "session.ended": "Sessions ended",
      "api-key.created": "API key created",
      "api-key.revoked": "API key revoked",
    },
  },
  {
    label: "Work",
    kinds: {
      "project.deleted": "Project deleted",
      "project.collaboration-changed": "Client collaboration changed",
      "template.saved": "Template saved",
      "template.deleted": "Template deleted",
      "project.commit-view-changed": "Client's view of commits changed",
      "client-person.added": "Client's person added",
      "client-person.removed": "Client's person removed",
      "comment.deleted": "Comment deleted",
      "file.removed": "File removed",
      "conversation.handed-over": "Conversation handed over",
      "conversation.taken-back": "Conversation taken back",
      "conversation.cover-ended": "Cover of a conversation ended",
      "work.handed-over": "Work handed over",
      "sign-off.asked": "Sign-off asked for",
      "sign-off.withdrawn": "Sign-off withdrawn",
      "sign-off.decided": "Sign-off decided",
      "projects.exported": "Projects exported",
      "data.imported": "Data imported",
      "data.exported": "Everything exported",
      "data.restored": "Backup restored",
      "backup.asked": "Backup asked for",
      "test-mail.sent": "Test email sent",
      "client-view.opened": "Client portal viewed",
      "organisation.updated": "Organisation settings changed",
      "inquiry.status-changed": "Inquiry status changed",
      "repository-token.set": "Repository token set",
      "repository-token.owners-set": "Repository token's accounts changed",
      "repository-token.removed": "Repository token removed",
      "webhook.created": "Webhook created",
      "webhook.deleted": "Webhook deleted",
    },
  },
];

/** A description that follows the actor's name. `name` is highlighted between `before` and `after`. */
interface ActionDescription {
  before: string;
  name?: string | undefined;
  after?: string | undefined;
}

/** The actor's name. */
export function actorName({ actor }: Pick<AuditEvent, "actor">): string {
  return actor?.name ?? "The server";
}

/** The whole line as one text: "Asha Rao approved Nikhil Jain as client". */
export function auditSentence(event: AuditEvent): string {
  const { before, name, after = "" } = describeAction(event);
  return `${isolate(actorName(event))} ${before}${name === undefined ? "" : isolate(name)}${after}`;
}

/** Describes the action. A kind that only a newer server knows is shown by its name. */
export function describeAction(event: AuditEvent): ActionDescription {
  const { kind, subject, details } = event;
  const name = subject.name ?? PROJECT_MESSAGES.unknownUser;
  const type = wordOf(details.accountType);
  switch (kind) {
    case "account.approved":
      return { before: "approved ", name, after: `${type ? ` as ${type}` : ""}${doubtOf(details)}` };
    case "account.rejected":
      return { before: "rejected ", name };
    case "account.deactivated":
      return { before: "deactivated ", name };
    case "account.reactivated":
      return { before: "reactivated ", name, after: doubtOf(details) };
    case "account.type-changed":
      return { before: "changed the account type of ", name, after: type && ` to ${type}` };
    case "account.made-admin":
      return { before: "made ", name, after: " an admin" };
    case "account.exported":
      return { before: "exported the personal data of ", name };
    case "account.erased":
      return { before: "erased ", name };
    case "invitation.sent":
      return {
        before: details.again === true ? "sent a new invitation to " : "invited ",
        name,
        after: type && ` as ${type}`,
      };
    case "invitation.withdrawn":
      return { before: "withdrew the invitation of ", name };
    case "invitation.accepted":
      return {
        before: "accepted their invitation",
        after: `${type ? ` as ${type}` : ""}${describePassedOver(details)}`,
      };
    case "password.changed":
      return { before: "changed their password" };
    case "password.reset":
      return { before: "reset their password" };
    case "two-factor.enabled":
      return { before: "turned on two-factor sign-in" };
    case "two-factor.disabled":
      return { before: "turned off two-factor sign-in" };
    case "two-factor.reset":
      return { before: "reset the two-factor sign-in of ", name };
    case "session.ended":
      return { before: describeSessions(details.sessions) };
    case "api-key.created":
      return { before: "created the API key ", name: wordOf(details.name), after: describeScope(details.scope) };
    case "api-key.revoked":
      return { before: "revoked the API key ", name: wordOf(details.name) };
    case "repository-token.owners-set":
      return { before: `changed the accounts of the repository token${describeOwners(details)}` };
    case "repository-token.set":
      return { before: describeToken(details) };
    case "repository-token.removed":
      return { before: "removed the repository token" };
    case "webhook.created":
      return { before: "created a webhook", after: inBrackets(details.host) };
    case "webhook.deleted":
      return { before: "deleted a webhook", after: inBrackets(details.host) };
    case "organisation.updated":
      return { before: `changed the organisation's settings${inBrackets(details.changed) ?? ""}` };
    case "client-view.opened":
      return { before: "viewed the portal of ", name };
    case "inquiry.status-changed":
      return describeInquiry(event);
    case "project.deleted":
      return {
        before: "deleted the project ",
        name: subject.name ?? "without a title",
        after: inBrackets(details.key),
      };
    case "project.collaboration-changed":
      return {
        before: `switched client collaboration ${details.clientCollaboration ? "on" : "off"} in `,
        name: subject.name ?? "a project without a title",
        after: inBrackets(details.key),
      };
    case "template.saved":
      return { before: "saved the template ", name: wordOf(details.template) };
    case "template.deleted":
      return { before: "deleted the template ", name: wordOf(details.template) };
    case "project.commit-view-changed":
      return {
        before: `changed what the client sees of commits${inBrackets(details.mode) ?? ""} in `,
        name: subject.name ?? "a project without a title",
        after: inBrackets(details.key),
      };
    case "sign-off.asked":
    case "sign-off.withdrawn":
    case "sign-off.decided":
      return {
        before: SIGN_OFF_ACTIONS[details.status === "approved" ? "approved" : kind],
        name: subject.name ?? "a project without a title",
        after: inBrackets(details.key),
      };
    case "client-person.added":
      return { before: "gave ", name, after: ` the client's access to ${projectOf(details)}` };
    case "client-person.removed":
      return { before: "took from ", name, after: ` the client's access to ${projectOf(details)}` };
    case "comment.deleted":
      return { before: "deleted a comment of ", name, after: inBrackets(details.subject) };
    case "file.removed":
      return { before: "removed a file of ", name, after: inBrackets(details.subject) };
    case "conversation.handed-over":
      return { before: "handed over a conversation to ", name, after: describeUntil(details) };
    case "conversation.taken-back":
      return { before: "took back a conversation from ", name };
    case "conversation.cover-ended":
      return { before: "ended the cover of a conversation by ", name };
    case "work.handed-over":
      return { before: "handed over the work of ", name, after: describeHandover(details) };
    case "projects.exported":
      return { before: describeExport(details) };
    case "data.imported":
      return { before: describeImport(details) };
    case "data.exported":
      return { before: "exported everything" };
    case "data.restored":
      return { before: `restored the backup of ${wordOf(details.takenAt)?.slice(0, 10) ?? "an earlier day"}` };
    case "backup.asked":
      return { before: "asked for a backup" };
    case "test-mail.sent":
      return { before: "sent a test email" };
    default:
      return { before: `did “${String(kind)}”` };
  }
}

/** The sign-off that the line is about, which stays when its project is gone. */
export function signOffOf({ details }: Pick<AuditEvent, "details">): string | undefined {
  return wordOf(details.signOffId);
}

const SIGN_OFF_ACTIONS = {
  "sign-off.asked": "asked for a sign-off of ",
  "sign-off.withdrawn": "withdrew the question for a sign-off of ",
  "sign-off.decided": "asked for changes before signing off ",
  approved: "signed off ",
};

function projectOf({ title, key }: AuditEvent["details"]): string {
  return `${wordOf(title) ?? "a project"}${inBrackets(key) ?? ""}`;
}

type Detail = AuditEvent["details"][keyof AuditEvent["details"]];

function describeUntil({ until }: AuditEvent["details"]): string {
  return typeof until === "string" ? ` until ${until.slice(0, 10)}` : "";
}

function describeHandover({ to, tasks, managerOf, conversations }: AuditEvent["details"]): string {
  const counts = { tasks, projects: managerOf, conversations };
  const parts = Object.entries(counts).flatMap(([kind, count]) =>
    Number(count ?? 0) > 0 ? [`${kind}: ${count}`] : [],
  );
  return `${typeof to === "string" ? ` to ${to}` : ""}${inBrackets(parts.join(", ")) ?? ""}`;
}

const IMPORTED = ["users", "projects", "tasks", "comments", "conversations", "messages"] as const;

function describeImport(details: AuditEvent["details"]): string {
  const counts = IMPORTED.flatMap((kind) => {
    const count = Number(details[kind] ?? 0);
    return count > 0 ? [`${count.toLocaleString("en-GB")} ${kind}`] : [];
  });
  return `imported ${counts.join(", ")}`;
}

function doubtOf({ emailVerified }: AuditEvent["details"]): string {
  return emailVerified === false ? ", email not confirmed" : "";
}

function describePassedOver({ passedOver }: AuditEvent["details"]): string {
  if (typeof passedOver !== "number" || passedOver === 0) return "";
  return `, without ${passedOver} of the chosen projects`;
}

function describeSessions(sessions: Detail): string {
  if (typeof sessions !== "number") return "ended one of their sessions";
  return sessions === 1 ? "ended their other session" : `ended their ${sessions} other sessions`;
}

function describeScope(scope: Detail): string {
  return scope === "read" ? ", read only" : ", read and write";
}

function describeToken(details: AuditEvent["details"]): string {
  const owners = wordOf(details.owners);
  return `${details.replaced === true ? "replaced" : "set"} the repository token${owners ? ` for ${owners}` : ""}`;
}

function describeOwners({ owners }: AuditEvent["details"]): string {
  const text = wordOf(owners);
  return text ? ` to ${text}` : "";
}

function describeInquiry({ subject, details: { to } }: AuditEvent): ActionDescription {
  const of = subject.name === null ? { before: "an inquiry" } : { before: "the inquiry of ", name: subject.name };
  if (to === ("new" satisfies InquiryStatus)) return { ...of, before: `reopened ${of.before}` };
  if (to === ("closed" satisfies InquiryStatus)) return { ...of, before: `closed ${of.before}` };
  return { ...of, before: `marked ${of.before}`, after: ` as ${wordOf(to) ?? "changed"}` };
}

function describeExport({ projects, scope, format }: AuditEvent["details"]): string {
  const word = wordOf(format);
  const count = typeof projects === "number" ? `${projects} ` : "";
  const what = `${count}${projects === 1 ? "project" : "projects"}${scope === ("mine" satisfies ListProjects["scope"]) ? " of their own" : ""}`;
  return `exported ${what}${word ? ` as ${word.toUpperCase()}` : ""}`;
}

function inBrackets(detail: Detail): string | undefined {
  const word = wordOf(detail);
  return word && ` (${word})`;
}

function wordOf(detail: Detail): string | undefined {
  return typeof detail === "string" && detail !== "" ? detail : undefined;
}
