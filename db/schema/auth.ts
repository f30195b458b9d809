import { sql } from "drizzle-orm";
import {
  type AnyPgColumn,
  boolean,
  check,
  index,
  integer,
  pgEnum,
  pgTable,
  primaryKey,
  text,
  unique,
  uuid,
} from "drizzle-orm/pg-core";
import { ACCOUNT_STATUSES, ACCOUNT_TYPES, DEFAULT_ADDRESS, SESSION_SCOPES } from "../enums";
import { instant } from "./columns";

export const accountTypeEnum = pgEnum("account_type", ACCOUNT_TYPES);
export const accountStatusEnum = pgEnum("account_status", ACCOUNT_STATUSES);

/** People: the account that signs in and the profile of the specification (part 3). */
export const users = pgTable(
  "users",
  {
    id: uuid().primaryKey().defaultRandom(),
    name: text().notNull(),
    displayName: text(),
    username: text().notNull(),
    email: text().notNull(),
    /** The person has shown that the address is theirs: by a link in a mail, or through Google. */
    emailVerified: boolean().notNull().default(false),
    /**
     * Shown as confirmed without such proof: approved before proof was asked for, of the demo, or made by whoever runs the
     * server. No way in is ever joined to an account by it.
     */
    emailPresumed: boolean().notNull().default(false),
    mobile: text(),
    age: integer(),
    address: text().notNull().default(DEFAULT_ADDRESS),
    profileImgLink: text(),
    agreeToTerms: boolean().notNull().default(false),
    /** Which text was accepted, and when: proof for a later question. */
    termsVersion: text(),
    termsAcceptedAt: instant(),
    accountType: accountTypeEnum().notNull().default("user"),
    accountStatus: accountStatusEnum().notNull().default("pending"),
    accessLevel: text(),
    /** Whether a message that stays unread is mailed. */
    unreadMail: boolean().notNull().default(true),
    /** Who last approved, rejected or otherwise decided about this account; null while nobody has. */
    decidedBy: uuid().references((): AnyPgColumn => users.id, { onDelete: "set null" }),
    decidedAt: instant(),
    /** When the person was last invited; null for who signed up and for who was imported and not invited yet. */
    invitedAt: instant(),
    /** When the person was erased: what is left of the row names nobody, and keeps what refers to it whole. */
    erasedAt: instant(),
    createdAt: instant().notNull().defaultNow(),
    updatedAt: instant().notNull().defaultNow(),
  },
  (t) => [
    unique("users_email_unique").on(t.email),
    unique("users_username_unique").on(t.username),
    index("users_status_created_idx").on(t.accountStatus, t.createdAt, t.id),
    index("users_created_idx").on(t.createdAt, t.id),
    check("users_email_lower", sql`${t.email} = lower(${t.email}) and ${t.email} like '%_@_%'`),
    check("users_name_length", sql`char_length(${t.name}) between 1 and 100`),
    check("users_username_shape", sql`${t.username} ~ '^[a-z]+[0-9]*$'`),
    check("users_age_range", sql`${t.age} between 0 and 150`),
  ],
);

/**
 * Invitations that are open: accepted, withdrawn or overtaken by a decision about the account, a row is deleted. Its links are one-time
 * values whose `value` is the invitation's id.
 */
export const invitations = pgTable(
  "invitations",
  {
    id: uuid().primaryKey().defaultRandom(),
    email: text().notNull(),
    name: text().notNull(),
    accountType: accountTypeEnum().notNull(),
    /** Projects that the person joins by accepting; one that is gone by then is passed over. */
    projectIds: uuid().array().notNull().default(sql`'{}'`),
    /** Whose account it opens: an imported person's; null where accepting makes the account. */
    userId: uuid().references(() => users.id, { onDelete: "cascade" }),
    /** Null for whoever runs the server. It holds as long as this person is an active admin. */
    invitedBy: uuid().references(() => users.id, { onDelete: "cascade" }),
    /** Seven days after the last mail was asked for. */
    expiresAt: instant().notNull(),
    createdAt: instant().notNull().defaultNow(),
    updatedAt: instant().notNull().defaultNow(),
  },
  (t) => [
    unique("invitations_email_unique").on(t.email),
    unique("invitations_user_unique").on(t.userId),
    check("invitations_email_lower", sql`${t.email} = lower(${t.email}) and ${t.email} like '%_@_%'`),
    check("invitations_name_length", sql`char_length(${t.name}) between 1 and 100`),
  ],
);

export const sessionScopeEnum = pgEnum("session_scope", SESSION_SCOPES);

/** One row per signed-in browser or API key; deleting it signs that one out at the next call. */
export const sessions = pgTable(
  "sessions",
  {
    id: uuid().primaryKey().defaultRandom(),
    token: text().notNull().unique(),
    userId: uuid()
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    expiresAt: instant().notNull(),
    scope: sessionScopeEnum().notNull().default("write"),
    ipAddress: text(),
    userAgent: text(),
    /** When the person last proved who they are, after signing in. */
    identityConfirmedAt: instant(),
    createdAt: instant().notNull().defaultNow(),
    updatedAt: instant().notNull().defaultNow(),
  },
  (t) => [index("sessions_user_idx").on(t.userId)],
);

/**
 * API keys: each is a session of its own that no cookie can carry, so that whatever ends sessions ends keys too. Of the key
 * itself only a hash is kept, as the session's token.
 */
export const apiKeys = pgTable("api_keys", {
  sessionId: uuid()
    .primaryKey()
    .references(() => sessions.id, { onDelete: "cascade" }),
  name: text().notNull(),
  lastFour: text().notNull(),
  /** Null for one without an end. */
  expiresAt: instant(),
  /** Noted once a minute at most. */
  lastUsedAt: instant(),
  /** As every key has been since keys cannot make keys; of the others it is not known whether a key made them. */
  madeInBrowser: boolean().notNull().default(false),
  createdAt: instant().notNull().defaultNow(),
});

/** Ways in: provider `credential` holds the password hash, `google` the link to a Google account. */
export const accounts = pgTable(
  "accounts",
  {
    id: uuid().primaryKey().defaultRandom(),
    accountId: text().notNull(),
    providerId: text().notNull(),
    userId: uuid()
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    password: text(),
    accessToken: text(),
    refreshToken: text(),
    idToken: text(),
    accessTokenExpiresAt: instant(),
    refreshTokenExpiresAt: instant(),
    scope: text(),
    createdAt: instant().notNull().defaultNow(),
    updatedAt: instant().notNull().defaultNow(),
  },
  (t) => [
    unique("accounts_provider_unique").on(t.providerId, t.accountId),
    index("accounts_user_idx").on(t.userId),
    check("accounts_credential_password", sql`${t.providerId} <> 'credential' or ${t.password} is not null`),
  ],
);

/** The authenticator app of whoever signs in with a second factor, and of whoever is setting one up. */
export const twoFactors = pgTable("two_factors", {
  userId: uuid()
    .primaryKey()
    .references(() => users.id, { onDelete: "cascade" }),
  /** The secret that the app shares, AES-256-GCM; see server/core/vault.ts. */
  sealed: text().notNull(),
  /** The id of the key that encrypted it. */
  keyId: text().notNull(),
  /** Null until the first code has shown that the app is set up: until then no code is asked for. */
  enabledAt: instant(),
  /** The time step of the last code that was accepted: neither it nor an earlier one is accepted again. */
  lastStep: integer().notNull().default(0),
  createdAt: instant().notNull().defaultNow(),
});

/** Unused recovery codes: hashes only, deleted when used. */
export const recoveryCodes = pgTable(
  "recovery_codes",
  {
    userId: uuid()
      .notNull()
      .references(() => twoFactors.userId, { onDelete: "cascade" }),
    hash: text().notNull(),
  },
  (t) => [primaryKey({ columns: [t.userId, t.hash] })],
);

/** Short-lived one-time values: links in mails, second steps of a sign-in, and the auth library's sign-in states. */
export const verifications = pgTable(
  "verifications",
  {
    id: uuid().primaryKey().defaultRandom(),
    identifier: text().notNull(),
    value: text().notNull(),
    expiresAt: instant().notNull(),
    createdAt: instant().notNull().defaultNow(),
    updatedAt: instant().notNull().defaultNow(),
  },
  (t) => [index("verifications_identifier_idx").on(t.identifier)],
);
