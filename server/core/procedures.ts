import type { AccountType } from "@db/enums";
import { MESSAGES } from "../contract/messages";
import type { Actor, Context, Session } from "./context";
import { DomainError } from "./errors";
import type { LimitName } from "./rate-limit";
import { withReadTimeout } from "./read-timeout";
import type { ProcedureType } from "./trpc";
import { observedProcedure, readableInput } from "./trpc";

/*
 * The base procedures: each narrows who may call, before any input is looked at (access.md, checks 1 to 3). Use the narrowest
 * that fits, then load the row through its module's check, such as `editableProject` (check 5).
 */

/** Anyone, signed in or not. */
export const publicProcedure = observedProcedure.meta({ access: "anyone" }).use(readableInput);

/**
 * Checks 1 and 2: a session of an active account, read now, and no more calls than the limits allow. For browsers and API keys
 * alike; a read-only key calls no mutation.
 */
export const activeProcedure = activeProcedureCountedAs();

/** `activeProcedure` with a limit of its own instead of those for reads and writes. */
export function activeProcedureCountedAs(limit?: LimitName) {
  return observedProcedure
    .meta({ access: "active", ...(limit && { limit }) })
    .use(async ({ ctx, type, next }) => {
      const admitted = await admit(ctx, { type, limit });
      if (type === "mutation" && admitted.scope === "read")
        throw new DomainError("FORBIDDEN", MESSAGES.apiKeys.readsOnly);
      return next({ ctx: admitted });
    })
    .use(readableInput);
}

/**
 * For one's own keys, sessions, password and profile: in a browser only. A leaked API key makes no other one and locks nobody
 * out.
 */
export const ownCredentialsProcedure = observedProcedure
  .meta({ access: "browsers" })
  .use(async ({ ctx, type, next }) => {
    const admitted = await admit(ctx, { type });
    if (admitted.isKey) throw refusedKey("FORBIDDEN", MESSAGES.apiKeys.notAllowed);
    return next({ ctx: admitted });
  })
  .use(readableInput);

/** The same for setting up two-factor sign-in, which is open to those who have to do that first. */
export const setUpProcedure = observedProcedure
  .meta({ access: "browsers" })
  .use(async ({ ctx, type, next }) => {
    const session = await findActiveSession(ctx, limitOf(type));
    if (!session) throw sessionEnded();
    if (session.isKey) throw refusedKey("FORBIDDEN", MESSAGES.apiKeys.notAllowed);
    return next({ ctx: { actor: session.actor, sessionId: session.id } });
  })
  .use(readableInput);

/** Check 3: users and admins. */
export const employeeProcedure = activeProcedure.meta({ access: "employees" }).use(({ ctx, next }) => {
  requireType(ctx.actor, ["user", "admin"]);
  return next();
});

/** Check 3: clients. */
export const clientProcedure = activeProcedure.meta({ access: "clients" }).use(({ ctx, next }) => {
  requireType(ctx.actor, ["client"]);
  return next();
});

/** Check 3: clients and admins, who see the commits of their projects (spec 1). */
export const clientOrAdminProcedure = activeProcedure.meta({ access: "clients-and-admins" }).use(({ ctx, next }) => {
  requireType(ctx.actor, ["client", "admin"]);
  return next();
});

/** Check 3: admins. */
export const adminProcedure = activeProcedure.meta({ access: "admins" }).use(({ ctx, next }) => {
  requireType(ctx.actor, ["admin"]);
  return next();
});

/** Check 3, and a fresh proof of who calls: admins. */
export const provenAdminProcedure = adminProcedure.use(async ({ ctx, next }) => {
  await requireFreshProof(ctx);
  return next();
});

/** For one's own credentials, with a fresh proof of who calls. */
export const provenCredentialsProcedure = ownCredentialsProcedure.use(async ({ ctx, next }) => {
  await requireFreshProof(ctx);
  return next();
});

/** A read that an admin may make as a client, named in `asClientId`: nobody else may name one. */
export const impersonatedReadProcedure = activeProcedure.use(async ({ ctx, getRawInput, next }) => {
  if (namesClient(await getRawInput())) requireType(ctx.actor, ["admin"]);
  return next();
});

/** The same for clients and admins only. */
export const impersonatedClientProcedure = clientOrAdminProcedure.use(async ({ ctx, getRawInput, next }) => {
  if (namesClient(await getRawInput())) requireType(ctx.actor, ["admin"]);
  return next();
});

/**
 * FORBIDDEN, `reauthentication-required`, unless the caller has signed in or called `auth.confirmIdentity` within 15 minutes;
 * after the role, before the input. An API key has nobody to ask. For routes without a procedure too.
 */
export async function requireFreshProof({
  hasFreshProof,
  sessionId,
  isKey,
}: Pick<Context, "hasFreshProof"> & { sessionId: string; isKey: boolean }): Promise<void> {
  if (isKey) throw refusedKey("FORBIDDEN", MESSAGES.apiKeys.needsPerson);
  if (await hasFreshProof(sessionId)) return;
  throw new DomainError("FORBIDDEN", MESSAGES.twoFactor.proofRequired, { reason: "reauthentication-required" });
}

/** The error of what is not for API keys. */
export function refusedKey(code: "FORBIDDEN" | "BAD_REQUEST", sentence: string): DomainError {
  return new DomainError(code, sentence, { reason: "api-key-not-allowed" });
}

async function admit(
  ctx: Parameters<typeof findActiveSession>[0],
  { type, limit = limitOf(type) }: { type: ProcedureType; limit?: LimitName | undefined },
) {
  const reading = requireActiveSession(ctx, limit);
  const session =
    type === "subscription" ? await withReadTimeout(reading, ctx.streamTimes.readTimeoutMs) : await reading;
  const { id: sessionId, actor, scope, isKey } = session;
  return { actor, sessionId, scope, isKey };
}

function limitOf(type: ProcedureType): LimitName {
  return type === "mutation" ? "write" : "read";
}

/** Checks 1 and 2: the session, unless its person has to set up two-factor sign-in first. For routes without a procedure too. */
export async function requireActiveSession(
  ctx: Parameters<typeof findActiveSession>[0],
  limit: LimitName,
): Promise<Session> {
  const session = await findActiveSession(ctx, limit);
  if (!session) throw sessionEnded();
  if (session.mustSetUpTwoFactor) throw twoFactorSetupRequired();
  return session;
}

/** Checks 1 and 2 for what also answers the signed-out: the session, or null. One of an account that may not sign in ends. */
export async function findActiveSession(
  ctx: Context & { trace: { actorId: string | null } },
  limit: LimitName,
): Promise<Session | null> {
  const session = await ctx.session();
  if (!session) return null;
  const { actor } = session;
  ctx.trace.actorId = actor.id;
  await ctx.limits.consume(limit, actor.id);
  if (actor.accountStatus === "active") return session;
  await ctx.endSession(session.id);
  throw refusedStatus(actor.accountStatus);
}

/** Nobody is signed in, or not any more. */
export function sessionEnded(): DomainError {
  return new DomainError("UNAUTHORIZED", MESSAGES.auth.signedOut, { reason: "session-ended" });
}

/** The literal sentence for an account that may not sign in (spec 8). */
export function refusedStatus(status: Actor["accountStatus"]): DomainError {
  return status === "pending"
    ? new DomainError("FORBIDDEN", MESSAGES.auth.pending, { reason: "account-pending" })
    : new DomainError("FORBIDDEN", MESSAGES.auth.refused, { reason: "account-inactive" });
}

/** The organisation requires two-factor sign-in of this account first. */
export function twoFactorSetupRequired(): DomainError {
  return new DomainError("FORBIDDEN", MESSAGES.twoFactor.setupRequired, { reason: "two-factor-setup-required" });
}

/** The account of a session is gone. */
export function profileMissing(): DomainError {
  return new DomainError("FORBIDDEN", MESSAGES.auth.profileNotFound, { reason: "profile-missing" });
}

/** Whether an input, before it is parsed, names a client to read as. */
function namesClient(input: unknown): boolean {
  return typeof input === "object" && input !== null && "asClientId" in input && input.asClientId !== undefined;
}

/** Check 3, for what depends on the input: FORBIDDEN for everyone but these types of account. */
export function requireType(actor: Actor, allowed: AccountType[]): void {
  if (!allowed.includes(actor.accountType)) throw new DomainError("FORBIDDEN", MESSAGES.general.notAllowed);
}
