import { createHash } from "node:crypto";
import { and, eq, isNotNull, lt, ne, type SQL, sql } from "drizzle-orm";
import { Secret, TOTP } from "otpauth";
import type { Db, Tx } from "../../db/client";
import { recoveryCodes, twoFactors } from "../../db/schema";
import { columnsOf } from "../../db/writes";
import { MESSAGES } from "../contract/messages";
import { DomainError } from "../core/errors";
import type { SealedColumn, SecretToken, Vault } from "../core/vault";

const STEP_SECONDS = 30;
/** Clocks of phones differ: a code counts one step before and after its own. */
const WINDOW = 1;

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

function totpOf(secret: SecretToken): TOTP {
  return new TOTP({ issuer: "Sangam", secret: Secret.fromBase32(secret.reveal()), period: STEP_SECONDS });
}

/** A recovery code has 80 random bits, so that a hash without salt or cost says nothing about it. */
function hashOf(code: string): string {
  return createHash("sha256").update(code).digest("hex");
}

/** A sealed secret copied to another person's row does not open. */
function boundTo(userId: string): string {
  return `two-factor secret of ${userId}`;
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
