import type { AccountType } from "@db/enums";
import { MESSAGES } from "../contract/messages";
import type { Actor, Context, Session } from "./context";
import { DomainError } from "./errors";
import type { LimitName } from "./rate-limit";
import { withReadTimeout } from "./read-timeout";
import type { ProcedureType } from "./trpc";
import { observedProcedure, readableInput } from "./trpc";

/*
 * The ladder: each rung narrows who may call, before any input is looked at (access.md, gates 1 to 3).
 * Pick the lowest rung that fits, then load the object through its module's queries (gate 5).
 */

/** Anyone, signed in or not. */
export const publicProcedure = observedProcedure.meta({ access: "anyone" }).use(readableInput);

/** Gates 1 and 2: a session, no more calls than the limits allow, and an active account, read now. */
const admittedProcedure = observedProcedure
  .meta({ access: "active" })
  .use(async ({ ctx, type, next }) =>
    next({ ctx: await admit(ctx, { type, limit: type === "mutation" ? "write" : "read" }) }),
  );

/** Gates 1 and 2; a session left over from a refused account is deleted. A key that may only read calls no mutation. */
export const activeProcedure = admittedProcedure
  .use(({ ctx, type, next }) => {
    requireWriting(ctx, type);
    return next();
  })
  .use(readableInput);

/** The same with a rule of its own in place of those for reads and writes. */
export function activeProcedureCountedAs(limit: LimitName) {
  return observedProcedure
    .meta({ access: "active", limit })
    .use(async ({ ctx, type, next }) => {
      const admitted = await admit(ctx, { type, limit });
      requireWriting(admitted, type);
      return next({ ctx: admitted });
    })
    .use(readableInput);
}

/**
 * What manages one's own ways in and profile: keys, sessions, password, personal data. For browsers: an API key of any scope is
 * refused, so that a leaked one makes itself no successor and locks nobody out.
 */
export const ownCredentialsProcedure = admittedProcedure
  .meta({ access: "browsers" })
  .use(({ ctx, next }) => {
    if (ctx.isKey) throw refusedKey("FORBIDDEN", MESSAGES.apiKeys.notAllowed);
    return next();
  })
  .use(readableInput);

/** The refusal of something that is not for API keys. */
export function refusedKey(code: "FORBIDDEN" | "BAD_REQUEST", sentence: string): DomainError {
  return new DomainError(code, sentence, { reason: "api-key-not-allowed" });
}

async function admit(
  ctx: Parameters<typeof findActiveSession>[0],
  { type, limit }: { type: ProcedureType; limit: LimitName },
) {
  const reading = findActiveSession(ctx, limit);
  const session =
    type === "subscription" ? await withReadTimeout(reading, ctx.streamTimes.readTimeoutMs) : await reading;
  if (!session) throw sessionEnded();
  const { id: sessionId, actor, scope, isKey } = session;
  return { actor, sessionId, scope, isKey };
}

function requireWriting({ scope }: Pick<Session, "scope">, type: ProcedureType): void {
  if (type === "mutation" && scope === "read") throw new DomainError("FORBIDDEN", MESSAGES.apiKeys.readsOnly);
}

/** Gates 1 and 2 for a procedure that also answers the signed-out: the session, or null without one. */
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

/** Gate 3, the firm's people: users and admins. */
export const employeeProcedure = activeProcedure.meta({ access: "employees" }).use(({ ctx, next }) => {
  requireType(ctx.actor, ["user", "admin"]);
  return next();
});

/** Gate 3, those who follow the code of projects: clients and admins. Spec 1. */
export const clientOrAdminProcedure = activeProcedure.meta({ access: "followers" }).use(({ ctx, next }) => {
  requireType(ctx.actor, ["client", "admin"]);
  return next();
});

/** Gate 3 of what admins may also read as a client would be answered: nobody else may name one in `asClientId`. */
export const impersonatedReadProcedure = activeProcedure.use(async ({ ctx, getRawInput, next }) => {
  if (namesClient(await getRawInput())) requireType(ctx.actor, ["admin"]);
  return next();
});

/** The same for those who follow the code of projects. */
export const impersonatedFollowProcedure = clientOrAdminProcedure.use(async ({ ctx, getRawInput, next }) => {
  if (namesClient(await getRawInput())) requireType(ctx.actor, ["admin"]);
  return next();
});

/** Gate 3, admins. */
export const adminProcedure = activeProcedure.meta({ access: "admins" }).use(({ ctx, next }) => {
  requireType(ctx.actor, ["admin"]);
  return next();
});

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

/** The account of a session is gone. */
export function profileMissing(): DomainError {
  return new DomainError("FORBIDDEN", MESSAGES.auth.profileNotFound, { reason: "profile-missing" });
}

/** Of an input before it is parsed. */
function namesClient(input: unknown): boolean {
  return typeof input === "object" && input !== null && "asClientId" in input && input.asClientId !== undefined;
}

function requireType(actor: Actor, allowed: AccountType[]): void {
  if (!allowed.includes(actor.accountType)) throw new DomainError("FORBIDDEN", MESSAGES.general.notAllowed);
}
