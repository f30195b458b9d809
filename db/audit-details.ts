import type { CommitMode, SignOffStatus } from "./client-enums";
import type { AccountType, InquiryStatus, SessionScope } from "./enums";
import type { AuditKind } from "./event-kinds";

interface OfProject {
  title: string;
  key: string;
}

interface OfSignOff extends OfProject {
  signOffId: string;
  signerId: string;
}

interface OfCover {
  conversationId: string;
  ownerId: string;
}

/** What is stored with each kind of audit event: facts, never a secret. A kind that is not here has none. */
interface DetailsByKind {
  "account.approved": { accountType: AccountType; emailVerified?: false };
  "account.reactivated": { emailVerified?: false };
  "account.type-changed": { accountType: AccountType };
  "invitation.sent": { accountType?: AccountType; again?: true };
  "invitation.accepted": { accountType: AccountType; projects: number; passedOver: number };
  "session.ended": { sessions?: number };
  "api-key.created": { name: string; scope: SessionScope };
  "api-key.revoked": { name: string | null };
  "repository-token.set": { owners: string; replaced: boolean };
  "repository-token.owners-set": { owners: string; before: string };
  "organisation.updated": { changed: string };
  "webhook.created": { host: string };
  "webhook.deleted": { host: string };
  "client-view.opened": { withoutOpening?: true };
  "inquiry.status-changed": { from: InquiryStatus; to: InquiryStatus };
  "project.deleted": OfProject;
  "project.collaboration-changed": OfProject & { clientCollaboration: boolean };
  "project.commit-view-changed": OfProject & { mode: CommitMode; words: number };
  "client-person.added": OfProject;
  "client-person.removed": OfProject;
  "template.saved": { template: string };
  "template.deleted": { template: string };
  "comment.deleted": { subject: string | null };
  "file.removed": { subject: string | null };
  "conversation.handed-over": OfCover & { until: string | null };
  "conversation.taken-back": OfCover;
  "conversation.cover-ended": OfCover;
  /** How much of each was handed over; `to`, the receiver's name, is added where the event is read. */
  "work.handed-over": { toUserId: string; to?: string; tasks?: number; managerOf?: number; conversations?: number };
  "sign-off.asked": OfSignOff;
  "sign-off.withdrawn": OfSignOff;
  "sign-off.decided": OfSignOff & { status: SignOffStatus };
  "projects.exported": { format: string; scope: "all" | "mine"; projects: number };
  "data.imported": {
    users: number;
    projects: number;
    tasks: number;
    comments?: number;
    statusUpdates?: number;
    requests?: number;
    signOffs?: number;
    templates?: number;
    conversations: number;
    messages: number;
    files?: number;
  };
  "data.restored": { takenAt: string };
}

/** A kind that is stored with details. */
export type DetailedKind = keyof DetailsByKind & AuditKind;

/** What an event of that kind is stored with. */
export type AuditDetailsOf<Kind extends DetailedKind> = DetailsByKind[Kind];

type AnyDetails = DetailsByKind[DetailedKind];
type NamesIn<Details> = Details extends unknown ? keyof Details : never;
type ValueIn<Details, Name extends PropertyKey> = Details extends unknown
  ? Name extends keyof Details
    ? Details[Name]
    : never
  : never;

/** The details of any event as they are read: one of an earlier version may lack some. */
export type AuditDetails = { [Name in NamesIn<AnyDetails>]?: ValueIn<AnyDetails, Name> };
