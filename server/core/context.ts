import type { AccountStatus, AccountType, SessionScope } from "@db/enums";
import type { Db } from "../../db/client";
import type { SystemStatus, TestMailResult } from "../contract/system";
import type { MailSettings } from "../contract/views";
import type { Feed } from "../realtime/hub";
import type { Presence } from "../realtime/presence";
import type { Logger } from "./logger";
import type { Outgoing } from "./outgoing";
import type { ProcedureTimes } from "./procedure-times";
import type { Limits } from "./rate-limit";
import type { Reply } from "./reply";
import type { Tracing } from "./tracing";
import type { SecretToken, Vault } from "./vault";

/** Who asks. Read from the database for each call: a cookie never answers for role or status. */
export interface Actor {
  id: string;
  displayName: string;
  accountType: AccountType;
  accountStatus: AccountStatus;
}

/** A signed-in browser, or an API key in use. */
export interface Session {
  id: string;
  actor: Actor;
  scope: SessionScope;
  isKey: boolean;
  /** The organisation requires two-factor sign-in of this account, and it is not set up: nothing else is open to it. */
  mustSetUpTwoFactor: boolean;
}

/** The auth library as the procedures see it; cookies are complete `Set-Cookie` values. */
export interface AuthGateway {
  hashPassword(password: string): Promise<string>;
  /** Whether a password is the one that a hash was made of. */
  verifyPassword(given: { password: string; hash: string }): Promise<boolean>;
  /**
   * Does work that hashes passwords; throws SERVICE_UNAVAILABLE at once, before any of it, when too many wait for theirs. Held
   * around everything that a call does with passwords, whether the account exists or not.
   */
  withHashSlot<Result>(address: string, work: () => Promise<Result>): Promise<Result>;
  /**
   * `address` is written to the session. Resolves to the person's id and cookies, or to what the second step of a two-factor sign-in
   * needs; throws a DomainError on a wrong password or a refused status.
   */
  signIn(
    credentials: SignInCredentials,
    call: { headers: Headers; address: string },
  ): Promise<{ userId: string; cookies: string[] } | { challenge: string }>;
  /**
   * A session for somebody whose second factor was checked, provided that their password is still the one that was checked. With
   * `rememberedBrowser` a cookie that spares the second step.
   */
  finishSignIn(
    passed: PassedChallenge & { rememberedBrowser: string | null },
    call: { headers: Headers; address: string },
  ): Promise<{ cookies: string[] }>;
  /** Where to send the browser, and the cookies that its return needs; throws a DomainError when it cannot be done. */
  startGoogle(call: {
    intent: GoogleIntent;
    redirect?: string | undefined;
    headers: Headers;
  }): Promise<{ url: string; cookies: string[] }>;
  /** Ends the session that the headers carry, if any. */
  signOut(headers: Headers): Promise<{ cookies: string[] }>;
}

/** A sign-in whose two steps were checked. */
export interface PassedChallenge {
  userId: string;
  /** As it was when the first step was checked; null for somebody without a password. */
  passwordHash: string | null;
  rememberMe: boolean;
}

/** Which button was pressed, and so which sentence a failure shows. */
export type GoogleIntent = "signIn" | "signUp";

interface SignInCredentials {
  email: string;
  password: string;
  rememberMe: boolean;
}

/** GitHub as the procedures see it: all else of it they read from the store. */
export interface TokenJudge {
  /** Whether GitHub knows the token. Never rejects. */
  checkToken(token: SecretToken): Promise<"accepted" | "refused" | "unanswered">;
}

/** The running servers as the procedures see them. */
export interface SystemGateway {
  readStatus(): Promise<SystemStatus>;
  /** Sends a test mail past the queue, and says what became of it. */
  sendTestMail(to: string): Promise<TestMailResult>;
}

/** How long a stream may take, and be silent. */
export interface StreamTimes {
  /** For each of its reads: what it begins with, whose session it is, and what a wake-up is about. */
  readTimeoutMs: number;
  /** A safety wake-up that finds no event sends a heartbeat when the last event is so long ago. */
  heartbeatAfterMs: number;
}

/** What the process shares among calls. */
export interface Services {
  db: Db;
  feed: Feed;
  streamTimes: StreamTimes;
  presence: Presence;
  auth: AuthGateway;
  limits: Limits;
  /** Where a mail about each inquiry goes; null for none. */
  contactEmail: string | null;
  /** The organisation's time zone until an admin chooses one. */
  timeZone: string;
  mail: MailSettings;
  /** Seals what has to be stored and must not be read there. */
  vault: Vault;
  github: TokenJudge;
  system: SystemGateway;
  /** Requests to addresses that people enter. */
  outgoing: Outgoing;
  /** Where this server is, without a slash at the end. */
  publicUrl: string;
  logger: Logger;
  /** Null where nobody asks for traces. */
  tracing: Tracing | null;
  procedureTimes: ProcedureTimes;
  /** From a notification's arrival to the event that a stream emits. */
  deliveryTimes: ProcedureTimes;
}

/** One call's surroundings; over a WebSocket one connection's, which is why `session` is asked afresh for each call. */
export interface Context extends Services {
  /** Of the HTTP request, or of the WebSocket's handshake: in the answer's header and in each line of `logger`. */
  requestId: string;
  headers: Headers;
  /** The caller's IP address, from the socket or a trusted proxy. */
  address: string;
  /** The live session, or null; one read per HTTP request, one per operation on a socket. */
  session(): Promise<Session | null>;
  /**
   * The actor of a stream, as long as the session is valid and the account active, read now; else a DomainError that says why
   * not. Batched over the watchers of one event, and over all whom the safety timer wakes up together (`mayWait`).
   */
  requireLive(stream: { sessionId: string; actorId: string; mayWait?: boolean }): Promise<Actor>;
  endSession(sessionId: string): Promise<void>;
  /** Whether the person of a session has proved who they are within 15 minutes: by signing in, or since. */
  hasFreshProof(sessionId: string): Promise<boolean>;
  /** How the answer goes over HTTP; null elsewhere. */
  reply: Reply | null;
  /** Adds a `Set-Cookie` to the answer; null where there is no answer to add it to (WebSocket). */
  setCookie: ((cookie: string) => void) | null;
}
