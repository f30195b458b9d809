import type { Db, Tx } from "../db/client";
import { sealedTwoFactorSecrets } from "./auth/two-factor";
import { reseal, type SealedColumn, type Vault } from "./core/vault";
import { sealedRepositoryToken } from "./github/token";
import { sealedPushKey } from "./notifications/push";
import { sealedWebhookSecrets } from "./webhooks/subjects";

/** Everything that TOKEN_ENCRYPTION_KEY seals. */
export const SEALED_COLUMNS: readonly SealedColumn[] = [
  sealedRepositoryToken,
  sealedTwoFactorSecrets,
  sealedPushKey,
  sealedWebhookSecrets,
];

/**
 * Seals anew what another key than the vault's current one sealed. `unreadable` names the columns with something that no key of
 * the vault opens; it stays as it is.
 */
export async function resealAll(db: Db | Tx, vault: Vault): Promise<{ resealed: number; unreadable: string[] }> {
  const outcome: { resealed: number; unreadable: string[] } = { resealed: 0, unreadable: [] };
  for (const column of SEALED_COLUMNS) {
    const { resealed, unreadable } = await reseal(db, { column, vault });
    outcome.resealed += resealed;
    if (unreadable > 0) outcome.unreadable.push(column.name);
  }
  return outcome;
}

/** The columns with something that another key than the current one sealed, by whether the vault opens all of it. */
export async function findSealedByFormerKeys(
  db: Db,
  vault: Vault,
): Promise<Record<"readable" | "unreadable", string[]>> {
  const found: Record<"readable" | "unreadable", string[]> = { readable: [], unreadable: [] };
  for (const column of SEALED_COLUMNS) {
    const rows = await column.list(db, { thanKeyId: vault.currentKeyId });
    if (rows.length === 0) continue;
    found[rows.every(({ bound, ...sealed }) => vault.open(sealed, bound)) ? "readable" : "unreadable"].push(
      column.name,
    );
  }
  return found;
}
