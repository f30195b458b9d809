import { createCipheriv, createDecipheriv, createHash, randomBytes, scrypt } from "node:crypto";
import * as z from "zod/mini";
import type { Secrets } from "../../core/secrets";

/** What a server cannot do without: a lost one ends sessions, or leaves what it encrypted unreadable. */
const secretsSchema = z.object({
  betterAuthSecret: z.string(),
  oldBetterAuthSecrets: z.array(z.string()),
  tokenEncryptionKey: z.string(),
  oldTokenEncryptionKeys: z.array(z.string()),
});
const sealedSchema = z.object({
  cipher: z.literal("aes-256-gcm"),
  kdf: z.object({ name: z.literal("scrypt"), N: z.number(), r: z.number(), p: z.number(), salt: z.base64() }),
  nonce: z.base64(),
  tag: z.base64(),
  text: z.base64(),
});

/** 128 MiB and about half a second for each guess. */
const COST = { N: 2 ** 17, r: 8, p: 1 };
/** What a damaged or hostile file may ask for. */
const MAX_MEMORY_BYTES = 512 * 2 ** 20;
const KEY_BYTES = 32;

/**
 * Encrypts the secrets of a server with a passphrase. They open together with the very same manifest only: who does not know the
 * passphrase cannot change what a backup with secrets holds.
 */
export async function sealSecrets(
  secrets: Secrets,
  { passphrase, manifest }: { passphrase: string; manifest: string },
): Promise<string> {
  const [salt, nonce] = [randomBytes(16), randomBytes(12)];
  const cipher = createCipheriv("aes-256-gcm", await keyOf(passphrase, { ...COST, salt }), nonce).setAAD(
    boundTo(manifest),
  );
  const text = Buffer.concat([cipher.update(JSON.stringify(secrets), "utf8"), cipher.final()]);
  return JSON.stringify({
    cipher: "aes-256-gcm",
    kdf: { name: "scrypt", ...COST, salt: salt.toString("base64") },
    nonce: nonce.toString("base64"),
    tag: cipher.getAuthTag().toString("base64"),
    text: text.toString("base64"),
  });
}

/** The secrets of a backup; null when the passphrase is another one, or the manifest. */
export async function openSecrets(
  sealed: string,
  { passphrase, manifest }: { passphrase: string; manifest: string },
): Promise<Secrets | null> {
  try {
    const { kdf, nonce, tag, text } = sealedSchema.parse(JSON.parse(sealed));
    const key = await keyOf(passphrase, { ...kdf, salt: Buffer.from(kdf.salt, "base64") });
    const decipher = createDecipheriv("aes-256-gcm", key, Buffer.from(nonce, "base64"))
      .setAAD(boundTo(manifest))
      .setAuthTag(Buffer.from(tag, "base64"));
    const opened = Buffer.concat([decipher.update(Buffer.from(text, "base64")), decipher.final()]);
    return secretsSchema.parse(JSON.parse(opened.toString("utf8")));
  } catch {
    return null;
  }
}

function boundTo(manifest: string): Buffer {
  return createHash("sha256").update(manifest).digest();
}

function keyOf(
  passphrase: string,
  { N, r, p, salt }: { N: number; r: number; p: number; salt: Buffer },
): Promise<Buffer> {
  return new Promise((resolve, reject) =>
    scrypt(passphrase.normalize("NFC"), salt, KEY_BYTES, { N, r, p, maxmem: MAX_MEMORY_BYTES }, (error, key) =>
      error ? reject(error) : resolve(key),
    ),
  );
}
