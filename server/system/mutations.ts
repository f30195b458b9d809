import type { Db } from "../../db/client";
import { secretKeys } from "../../db/schema";
import type { Secrets } from "../core/secrets";
import { secretId } from "../core/vault";

/** Notes which secrets are in use; the first time counts. */
export async function noteSecrets(
  db: Db,
  { betterAuthSecret, tokenEncryptionKey }: Pick<Secrets, "betterAuthSecret" | "tokenEncryptionKey">,
): Promise<void> {
  const used = { BETTER_AUTH_SECRET: betterAuthSecret, TOKEN_ENCRYPTION_KEY: tokenEncryptionKey };
  await db
    .insert(secretKeys)
    .values(Object.entries(used).map(([name, secret]) => ({ name, keyId: secretId(secret) })))
    .onConflictDoNothing();
}
