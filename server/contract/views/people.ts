import type { SessionScope } from "@db/enums";
import type { NotificationKind, NotificationMail } from "@db/event-kinds";
import type { InvitationColumns, UserColumns } from "@db/rows";
import type { BusinessHours } from "../organisation";

type NeverShown =
  | "emailVerified"
  | "agreeToTerms"
  | "termsVersion"
  | "termsAcceptedAt"
  | "decidedBy"
  | "decidedAt"
  | "invitedAt"
  | "updatedAt"
  | "erasedAt"
  | "emailPresumed";
type OwnersOnly = "displayName" | "age" | "address" | "accessLevel" | "unreadMail";

/** The signed-in person's own profile: email, phone, type, status and the fields that Settings edit. */
export interface Me extends Omit<UserColumns, NeverShown | "displayName"> {
  /** Falls back to the username, then to the email. */
  displayName: string;
  /** The organisation requires two-factor sign-in of this account, and it is not set up: nothing else is open to it. */
  mustSetUpTwoFactor: boolean;
  /** The picture was a link to another host and is shown to nobody any more. True until they have been told: see `users.setPhoto`. */
  hasLostPicture: boolean;
}

/** One's own two-factor sign-in; `required` is the organisation's setting for one's type of account. */
export interface TwoFactorStatus {
  enabled: boolean;
  required: boolean;
  recoveryCodesLeft: number;
}

/** What sets up an authenticator app, shown once. `qrCode` is an SVG of `uri`. */
export interface TwoFactorSetup {
  secret: string;
  uri: string;
  qrCode: string;
  recoveryCodes: string[];
}

/** The organisation's settings. */
export interface OrganisationSettings {
  /** Null for everyone but admins. */
  requireTwoFactorForAdmins: boolean | null;
  /** An IANA name. */
  timeZone: string;
  businessHours: BusinessHours;
  /** Calendar days, ascending. */
  holidays: string[];
}

/** What anyone who shares a project may know about a person: id, name, type and picture; no email, no phone. */
export interface Person
  extends Omit<
    UserColumns,
    NeverShown | OwnersOnly | "name" | "username" | "email" | "mobile" | "accountStatus" | "createdAt"
  > {
  /** The display name. */
  name: string;
}

/** A row of the admins' Users tab: names, email, phone, type, status, and when the account was made. */
export interface AdminUser extends Omit<UserColumns, NeverShown | OwnersOnly | "profileImgLink"> {
  /** Whether the address was confirmed as theirs; true also for accounts approved before that was asked for. */
  emailVerified: boolean;
  /** They sign in with a second factor. */
  hasTwoFactor: boolean;
  /** Whether there is a password or a Google account to sign in with. Imported people have none until they accept an invitation. */
  hasSignInMethod: boolean;
}

/** An invitation that nobody has accepted or withdrawn. */
export interface Invitation extends Omit<InvitationColumns, "projectIds" | "invitedBy" | "updatedAt"> {
  /** The present name and type of an imported person. */
  name: string;
  /** Those of the chosen projects that still exist. */
  projects: { id: string; title: string }[];
  /** Null: whoever runs the server, with an import. */
  invitedBy: Person | null;
  /** False once it has expired or the person who sent it is no longer an active admin. Resending it makes it valid again. */
  isValid: boolean;
}

/** A browser in which the person is signed in. Never its token. */
export interface SessionView {
  id: string;
  /** The browser's own description, to be read by a parser; null when it sent none. */
  userAgent: string | null;
  ipAddress: string | null;
  createdAt: string;
  expiresAt: string;
  /** The session that asks. */
  current: boolean;
}

/** A program's way in, in the name of the person who made it. `id` is what revokes it. */
export interface ApiKeyView {
  id: string;
  name: string;
  scope: SessionScope;
  lastFour: string;
  createdAt: string;
  /** Null for one that stands until it is revoked. */
  expiresAt: string | null;
  /** To the minute; null while it has not been used. */
  lastUsedAt: string | null;
  /** Ids of keys from before 2026-11-22, when keys could still make keys, that it may have made: revoking it ends them too. */
  mayHaveMade: string[];
}

/** The only answer that holds the key itself. */
export interface CreatedApiKey extends ApiKeyView {
  key: string;
}

/** Everything the product holds about a person, for that person: what the privacy policy promises to hand out. */
export interface PersonExport {
  exportedAt: string;
  profile: Omit<UserColumns, "erasedAt">;
  signsInWith: string[];
  /** Since when an authenticator app is asked for a code; null while none is. */
  twoFactorSince: string | null;
  sessions: Omit<SessionView, "current">[];
  apiKeys: Omit<ApiKeyView, "id" | "lastFour" | "mayHaveMade">[];
  /** Projects that name the person, and how. */
  projects: { id: string; key: string; title: string; roles: string[] }[];
  tasks: { id: string; projectId: string; number: number; title: string; roles: string[] }[];
  /** Lines of projects' histories that tell of the person. */
  history: { at: string; kind: string; projectId: string; taskId: string | null; byThem: boolean }[];
  /** What the person wrote to others. */
  messages: { at: string; conversationId: string; seq: number; text: string }[];
  /** What the person commented on; the names of those mentioned are left out. */
  comments: { at: string; projectId: string; taskId: string | null; text: string }[];
  /** What the person told clients about projects. */
  statusUpdates: { at: string; projectId: string; health: string; text: string }[];
  /** Templates that the person saved. */
  templates: { at: string; title: string }[];
  /** What the person asked for in projects, and what became of it. */
  requests: {
    at: string;
    id: string;
    projectId: string;
    title: string;
    text: string;
    urgency: string;
    status: string;
  }[];
  /** What the person asked back about requests, or answered. */
  requestReplies: { at: string; requestId: string; text: string }[];
  /** What the person asked to be signed off, was asked to, or decided. */
  signOffs: {
    at: string;
    id: string;
    projectId: string;
    askedBy: string;
    signerId: string;
    note: string;
    status: string;
    decidedBy: string | null;
    decidedAt: string | null;
    reason: string | null;
  }[];
  /** What the person uploaded and has not deleted. */
  files: {
    at: string;
    name: string;
    size: number;
    type: string;
    projectId: string | null;
    taskId: string | null;
    requestId: string | null;
  }[];
  /** What the person was notified of, also where only a mail was wanted (`inApp` false), with the ids of what it is about. */
  notifications: {
    at: string;
    kind: NotificationKind;
    projectId: string | null;
    taskId: string | null;
    commentId: string | null;
    conversationId: string | null;
    inquiryId: string | null;
    requestId: string | null;
    signOffId: string | null;
    personId: string | null;
    details: string | null;
    inApp: boolean;
    readAt: string | null;
  }[];
  /** What the person has chosen for a kind of notification; for the others the defaults hold. */
  notificationPreferences: { kind: NotificationKind; inApp: boolean; mail: NotificationMail }[];
  /** What the person follows, or has stopped following. */
  follows: { projectId: string; taskId: string | null; isFollowing: boolean }[];
  /** Where browsers of the person take push notifications, and since when. */
  pushSubscriptions: { since: string; endpoint: string }[];
  /** Since when there is a private address of the person's calendar; null while there is none. */
  calendarSince: string | null;
  /** Up to when the person has seen what is new on their start page; null: never said. */
  seenUpTo: string | null;
  /** Up to which message the person has read. */
  conversationReads: { conversationId: string; upToSeq: number }[];
  /** Up to which comment the person has read. */
  commentReads: { projectId: string; taskId: string | null; upToSeq: number }[];
  /** What was written on the public pages with the person's address. */
  inquiries: { at: string; kind: string; name: string; company: string | null; phone: string | null; text: string }[];
  /** Open invitations of the person's address. */
  invitations: { at: string; expiresAt: string; name: string }[];
  audit: { at: string; kind: string; byThem: boolean }[];
}

/** How mails leave the server, as its environment says. */
export interface MailSettings {
  /** False: each mail is a file in `DATA_DIR/outbox` and reaches nobody. */
  isConfigured: boolean;
  /** The sender: an address, or `Name <address>`. */
  from: string;
}

/** An account that was made or has changed; the lists are to be read again. Null: one or more, unknown which. */
export interface AccountChange {
  userId: string | null;
}

export interface UserCounts {
  all: number;
  pending: number;
  active: number;
  /** Rejected and inactive together. */
  rejected: number;
}

export interface UserPage {
  /** Newest first. */
  items: AdminUser[];
  nextCursor: string | null;
  counts: UserCounts;
}
