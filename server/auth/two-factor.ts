import { createHash } from "node:crypto";
import { and, eq, isNotNull, isNull, lt, ne, type SQL, sql } from "drizzle-orm";
import { Secret, TOTP } from "otpauth";
import { renderSVG } from "uqr";
import type { Db, Tx } from "../../db/client";
import { organisation, recoveryCodes, twoFactors, users } from "../../db/schema";
import { columnsOf, rowsOf } from "../../db/writes";
import { insertAudit } from "../audit/mutations";
import { MESSAGES } from "../contract/messages";
import type { TwoFactorSetup, TwoFactorStatus } from "../contract/views";
import type { Actor } from "../core/context";
import { DomainError } from "../core/errors";
import { type SealedColumn, SecretToken, type Vault } from "../core/vault";
import { queueMail } from "../mail/mutations";
import { notifyAccount } from "../realtime/notify";
import { hasTwoFactor } from "../users/queries";

const STEP_SECONDS = 30;
/** Clocks of phones differ: a code counts one step before and after its own. */
const WINDOW = 1;
/** As RFC 4226 recommends. */
const SECRET_BYTES = 20;
const RECOVERY_CODES = 10;
const RECOVERY_BYTES = 10;

interface Attempt {
  vault: Vault;
  userId: string;
  code: string;
}

/**
 * Whether a code is right: six digits of the person's app, each time step once, or a recovery code, used up by this. False too for
 * somebody without two-factor sign-in. Of two uses at once one succeeds.
 */
export async function takeCode(db: Db | Tx, { vault, userId, code }: Attempt): Promise<boolean> {
  const typed = code.replace(/[\s-]/g, "").toLowerCase();
  if (!/^\d{6}$/.test(typed)) return takeRecoveryCode(db, { userId, code: typed });
  return takeAppCode(db, { vault, userId, code: typed }, isNotNull(twoFactors.enabledAt));
}

/** Whether the six digits are the app's and newer than the last that were accepted; they are then the last. */
async function takeAppCode(db: Db | Tx, { vault, userId, code }: Attempt, state: SQL): Promise<boolean> {
  const isTheirs = and(eq(twoFactors.userId, userId), state);
  const [row] = await db
    .select({ sealed: twoFactors.sealed, keyId: twoFactors.keyId })
    .from(twoFactors)
    .where(isTheirs);
  if (!row) return false;
  const secret = vault.open(row, boundTo(userId));
  if (!secret) throw new DomainError("CONFLICT", MESSAGES.twoFactor.unreadable);
  const timestamp = Date.now();
  const app = totpOf(secret);
  const delta = app.validate({ token: code, timestamp, window: WINDOW });
  if (delta === null) return false;
  const step = app.counter({ timestamp }) + delta;
  const [taken] = await db
    .update(twoFactors)
    .set({ lastStep: step })
    .where(and(isTheirs, lt(twoFactors.lastStep, step)))
    .returning({ userId: twoFactors.userId });
  return taken !== undefined;
}

async function takeRecoveryCode(db: Db | Tx, { userId, code }: Omit<Attempt, "vault">): Promise<boolean> {
  const isOn = sql`exists (select from ${twoFactors} where ${and(eq(twoFactors.userId, userId), isNotNull(twoFactors.enabledAt))})`;
  const [used] = await db
    .delete(recoveryCodes)
    .where(and(eq(recoveryCodes.userId, userId), eq(recoveryCodes.hash, hashOf(code)), isOn))
    .returning({ userId: recoveryCodes.userId });
  return used !== undefined;
}

function totpOf(secret: SecretToken, label = ""): TOTP {
  return new TOTP({ issuer: "Sangam", label, secret: Secret.fromBase32(secret.reveal()), period: STEP_SECONDS });
}

/** A recovery code has 80 random bits, so that a hash without salt or cost says nothing about it. */
function hashOf(code: string): string {
  return createHash("sha256").update(code).digest("hex");
}

/** A sealed secret copied to another person's row does not open. */
function boundTo(userId: string): string {
  return `two-factor secret of ${userId}`;
}

/** Whether it is on, whether the organisation requires it, and how many recovery codes are left. */
export async function findTwoFactorStatus(db: Db, { actor }: { actor: Actor }): Promise<TwoFactorStatus> {
  const [row] = await db
    .select({
      enabled: hasTwoFactor,
      isRequiredOfAdmins: sql<boolean>`coalesce((select ${organisation.requireTwoFactorForAdmins} from ${organisation}), false)`,
      recoveryCodesLeft:
        sql`case when ${hasTwoFactor} then (select count(*) from ${recoveryCodes} where ${recoveryCodes.userId} = ${users.id}) else 0 end`.mapWith(
          Number,
        ),
    })
    .from(users)
    .where(eq(users.id, actor.id));
  const { enabled = false, isRequiredOfAdmins = false, recoveryCodesLeft = 0 } = row ?? {};
  return { enabled, required: isRequiredOfAdmins && actor.accountType === "admin", recoveryCodesLeft };
}

/**
 * Begins the set-up of an authenticator app: what it needs, and the recovery codes, shown in this answer only. No code is asked for
 * before `confirmSetUp`. Begun again, what was shown before no longer works. CONFLICT once it is on.
 */
export async function startSetUp(
  db: Db,
  { vault, actor, email }: { vault: Vault; actor: Actor; email: string },
): Promise<TwoFactorSetup> {
  const userId = actor.id;
  const secret = new SecretToken(new Secret({ size: SECRET_BYTES }).base32);
  const sealed = vault.seal(secret, boundTo(userId));
  const app = totpOf(secret, email);
  return db.transaction(async (tx) => {
    const [begun] = await tx
      .insert(twoFactors)
      .values(columnsOf(twoFactors, { userId, ...sealed }))
      .onConflictDoUpdate({
        target: twoFactors.userId,
        set: columnsOf(twoFactors, { ...sealed, lastStep: 0, createdAt: sql`now()` }),
        setWhere: isNull(twoFactors.enabledAt),
      })
      .returning({ userId: twoFactors.userId });
    if (!begun) throw new DomainError("CONFLICT", MESSAGES.twoFactor.alreadyOn);
    const codes = await replaceRecoveryCodes(tx, { userId });
    const uri = app.toString();
    return { secret: app.secret.base32, uri, qrCode: renderSVG(uri, { border: 4 }), recoveryCodes: codes };
  });
}

/** Turns two-factor sign-in on, once a code shows that the app is set up. False for a wrong code; CONFLICT when nothing was begun. */
export async function confirmSetUp(
  db: Db,
  { vault, actor, code }: { vault: Vault; actor: Actor; code: string },
): Promise<boolean> {
  const userId = actor.id;
  return db.transaction(async (tx) => {
    const isBegun = and(eq(twoFactors.userId, userId), isNull(twoFactors.enabledAt));
    const [begun] = await tx.select({ userId: twoFactors.userId }).from(twoFactors).where(isBegun).for("update");
    if (!begun) throw new DomainError("CONFLICT", MESSAGES.twoFactor.notStarted);
    const typed = code.replace(/\s/g, "");
    if (!(await takeAppCode(tx, { vault, userId, code: typed }, isNull(twoFactors.enabledAt)))) return false;
    await tx.update(twoFactors).set({ enabledAt: sql`now()` }).where(isBegun);
    await insertAudit(tx, { kind: "two-factor.enabled", actorId: userId, subjectId: userId });
    await queueMail(tx, { template: "two-factor-on", recipient: userId });
    await notifyAccount(tx, { userId });
    return true;
  });
}

/** New recovery codes in place of those that are left, shown in this answer only. CONFLICT while two-factor sign-in is off. */
export async function renewRecoveryCodes(db: Db, { actor }: { actor: Actor }): Promise<{ recoveryCodes: string[] }> {
  return db.transaction(async (tx) => {
    const [on] = await tx
      .select({ userId: twoFactors.userId })
      .from(twoFactors)
      .where(and(eq(twoFactors.userId, actor.id), isNotNull(twoFactors.enabledAt)))
      .for("update");
    if (!on) throw new DomainError("CONFLICT", MESSAGES.twoFactor.notOn);
    return { recoveryCodes: await replaceRecoveryCodes(tx, { userId: actor.id }) };
  });
}

async function replaceRecoveryCodes(tx: Tx, { userId }: { userId: string }): Promise<string[]> {
  const codes = Array.from({ length: RECOVERY_CODES }, () => new Secret({ size: RECOVERY_BYTES }).base32.toLowerCase());
  await tx.delete(recoveryCodes).where(eq(recoveryCodes.userId, userId));
  const rows = codes.map((code) => ({ userId, hash: hashOf(code) }));
  await tx.insert(recoveryCodes).values(rowsOf(recoveryCodes, rows));
  return codes.map((code) => code.replace(/(.{4})(?=.)/g, "$1-"));
}

/** The secrets of authenticator apps as `reseal` sees them. */
export const sealedTwoFactorSecrets: SealedColumn = {
  name: "two-factor secrets",
  async list(db, { thanKeyId }) {
    const { sealed, keyId, userId } = twoFactors;
    const rows = await db.select({ sealed, keyId, userId }).from(twoFactors).where(ne(keyId, thanKeyId));
    return rows.map(({ userId: owner, ...row }) => ({ ...row, bound: boundTo(owner) }));
  },
  async replace(db, { from, to }) {
    await db.update(twoFactors).set(columnsOf(twoFactors, to)).where(eq(twoFactors.sealed, from.sealed));
  },
};
