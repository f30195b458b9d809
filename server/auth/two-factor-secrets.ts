import { eq, ne } from "drizzle-orm";
import { twoFactors } from "../../db/schema";
import { columnsOf } from "../../db/writes";
import type { SealedColumn } from "../core/vault";

/** A sealed secret copied to another person's row does not open. */
export function boundTo(userId: string): string {
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
