import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from "node:crypto";
import { inspect } from "node:util";
import type { Db, Tx } from "../../db/client";

/** Bytes of AES-256-GCM. */
const KEY_BYTES = 32;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** What every way of writing a secret down gives. */
const REDACTED = "[secret]";

/**
 * A secret that cannot be logged, put into JSON or printed by accident. Only `reveal` gives it out; an architecture test
 * lists who may call it.
 */
export class SecretToken {
  readonly #value: string;

  constructor(value: string) {
    this.#value = value;
  }

  /** All that is ever shown of it. */
  get lastFour(): string {
    return this.#value.slice(-4);
  }

  reveal(): string {
    return this.#value;
  }

  toString(): string {
    return REDACTED;
  }

  toJSON(): string {
    return REDACTED;
  }

  [inspect.custom](): string {
    return REDACTED;
  }
}

/** A secret as it may be stored. */
interface Sealed {
  /** Base64 of nonce, tag and ciphertext. */
  sealed: string;
  /** Which key sealed it; reveals nothing about the key. */
  keyId: string;
}

/** Encrypts with the current key; decrypts with that and with older ones. */
export interface Vault {
  readonly currentKeyId: string;
  /** `bound` is what the secret belongs to: it opens with the very same text only. */
  seal(secret: SecretToken, bound: string): Sealed;
  /** Null when the key is not there any more, or when the text or what it was bound to has been changed. */
  open(stored: Sealed, bound: string): SecretToken | null;
}

/** A column of sealed secrets. Each is listed in server/sealed-columns.ts, so that a change of the key reaches all of them. */
export interface SealedColumn {
  /** In logs. */
  name: string;
  /** What another key than this one sealed, and what it is bound to. */
  list(db: Db | Tx, other: { thanKeyId: string }): Promise<(Sealed & { bound: string })[]>;
  /** Replaces one that is still the same: another process may have been quicker. */
  replace(db: Db | Tx, change: { from: Sealed; to: Sealed }): Promise<void>;
}

/** Seals with the current key what a former one sealed; counts these, and those that no key opens. */
export async function reseal(
  db: Db | Tx,
  { column, vault }: { column: SealedColumn; vault: Vault },
): Promise<{ resealed: number; unreadable: number }> {
  const counts = { resealed: 0, unreadable: 0 };
  for (const { bound, ...from } of await column.list(db, { thanKeyId: vault.currentKeyId })) {
    const secret = vault.open(from, bound);
    if (secret) await column.replace(db, { from, to: vault.seal(secret, bound) });
    counts[secret ? "resealed" : "unreadable"] += 1;
  }
  return counts;
}

/** What tells a secret from another one and reveals nothing about it. */
export function secretId(secret: string): string {
  return derive(secret, "key id", 4).toString("hex");
}

/** AES-256-GCM under keys derived from `secrets`, texts of at least 32 characters: the current one first, then older ones. */
export function createVault(secrets: readonly [string, ...string[]]): Vault {
  const current = keyOf(secrets[0]);
  const keys = new Map(secrets.map(keyOf).map((key) => [key.id, key]));
  return {
    currentKeyId: current.id,
    seal(secret, bound) {
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv("aes-256-gcm", current.key, nonce).setAAD(boundTo(current.id, bound));
      const text = Buffer.concat([cipher.update(secret.reveal(), "utf8"), cipher.final()]);
      return { sealed: Buffer.concat([nonce, cipher.getAuthTag(), text]).toString("base64"), keyId: current.id };
    },
    open({ sealed, keyId }, bound) {
      const key = keys.get(keyId);
      const bytes = Buffer.from(sealed, "base64");
      if (!key || bytes.length <= NONCE_BYTES + TAG_BYTES) return null;
      const decipher = createDecipheriv("aes-256-gcm", key.key, bytes.subarray(0, NONCE_BYTES))
        .setAAD(boundTo(keyId, bound))
        .setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
      try {
        const text = Buffer.concat([decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES)), decipher.final()]);
        return new SecretToken(text.toString("utf8"));
      } catch {
        return null;
      }
    },
  };
}

function keyOf(secret: string): { id: string; key: Buffer } {
  return { id: secretId(secret), key: derive(secret, "repository token", KEY_BYTES) };
}

function derive(secret: string, purpose: string, bytes: number): Buffer {
  return Buffer.from(hkdfSync("sha256", secret, "sangam", purpose, bytes));
}

function boundTo(keyId: string, bound: string): Buffer {
  return Buffer.from(`${keyId}\n${bound}`, "utf8");
}
