import { randomBytes } from "node:crypto";
import { linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Env } from "./env";
import { MIN_SECRET } from "./env-variables";
import { createVault, type Vault } from "./vault";

/** A secret of the data folder is not whole, as a power cut may have left it. Its message is for the person at the terminal. */
export class KeptSecretError extends Error {}

/** Each at least 32 characters. */
export type Secrets = {
  /** Signs session cookies. */
  betterAuthSecret: string;
  /** A cookie that one of these signed still counts. */
  oldBetterAuthSecrets: string[];
  /** Encrypts what has to be stored but not read in the database, such as the organisation's GitHub token. */
  tokenEncryptionKey: string;
  /** What was sealed with one of these can still be opened. */
  oldTokenEncryptionKeys: string[];
};

/**
 * The given secrets, or those of the data folder, which are made at the first start (DATA_DIR/better-auth-secret and
 * DATA_DIR/token-encryption-key, readable by their owner only): at random, or as those of a backup. Two processes that start at
 * once get the same ones. Throws the file system's error when the folder cannot be written or read, and KeptSecretError.
 */
export function loadSecrets(
  env: Pick<
    Env,
    "dataDir" | "betterAuthSecret" | "oldBetterAuthSecrets" | "tokenEncryptionKey" | "oldTokenEncryptionKeys"
  >,
  restored?: Secrets | null,
): Secrets {
  return {
    betterAuthSecret: env.betterAuthSecret ?? kept(env.dataDir, "better-auth-secret", restored?.betterAuthSecret),
    oldBetterAuthSecrets: env.oldBetterAuthSecrets,
    tokenEncryptionKey:
      env.tokenEncryptionKey ?? kept(env.dataDir, "token-encryption-key", restored?.tokenEncryptionKey),
    oldTokenEncryptionKeys: env.oldTokenEncryptionKeys,
  };
}

/** Seals with the present key, and opens what that or a former one sealed. */
export function vaultOf(secrets: Pick<Secrets, "tokenEncryptionKey" | "oldTokenEncryptionKeys">): Vault {
  return createVault([secrets.tokenEncryptionKey, ...secrets.oldTokenEncryptionKeys]);
}

function kept(dataDir: string, name: string, first = randomBytes(32).toString("hex")): string {
  const file = join(dataDir, name);
  mkdirSync(dataDir, { recursive: true });
  const part = `${file}.${process.pid}`;
  try {
    writeFileSync(part, `${first}\n`, { mode: 0o600, flush: true });
    // Unlike a rename, a link never replaces what a quicker process has made.
    linkSync(part, file);
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : null;
    if (code !== "EEXIST") throw error;
  } finally {
    rmSync(part, { force: true });
  }
  const secret = readFileSync(file, "utf8").trim();
  if (secret.length >= MIN_SECRET) return secret;
  throw new KeptSecretError(
    `The secret in ${file} has ${secret.length} of at least ${MIN_SECRET} characters. Write the former one there. ` +
      "Or remove the file for a new one: what the former one signed or encrypted is lost then.",
  );
}
