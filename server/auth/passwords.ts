import { randomBytes, timingSafeEqual } from "node:crypto";
import { availableParallelism } from "node:os";
import limit from "p-limit";
import { MESSAGES } from "../contract/messages";
import { retrySentence } from "../contract/messages/retry";
import { DomainError } from "../core/errors";
import { deriveKey, hashWorkers } from "../core/hash-workers";

const WORKERS = hashWorkers(availableParallelism());
/** First come, first served. */
const inTurn = limit(WORKERS);

/** access.md, Limits: so many wait at most, and fewer where hashes take long: nobody is to wait longer than this. */
const MAX_WAITING = 32;
/** At least this many, however slow the machine is: eight people behind one address, on one core too, and somebody elsewhere. */
const MIN_WAITING = 10;
const MAX_WAIT_MS = 1_500;
/** The share of the slots open to addresses that already hold one, so that a flood from one address leaves some to others. */
const SHARE_OF_ADDRESS = 0.75;
const RETRY_AFTER_SECONDS = 2;

/** A moving average; starts with a slow guess. */
let averageMs = 100;

/** Calls that hold a slot, by their address. */
const held = new Map<string, number>();
let heldInAll = 0;

/** For the reference: of calls that hash a password. */
export const BUSY = { code: "SERVICE_UNAVAILABLE", sentence: MESSAGES.limits.busy } as const;

/** scrypt with a salt of its own, as the auth library stores it. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(16).toString("hex");
  const key = await inTurn(() => measured(() => deriveKey({ password, salt })));
  return `${salt}:${key.toString("hex")}`;
}

/** Whether a password is the one that a hash was made of. */
export async function verifyPassword({ password, hash }: { password: string; hash: string }): Promise<boolean> {
  const [salt = "", expected = ""] = hash.split(":");
  const key = await inTurn(() => measured(() => deriveKey({ password, salt })));
  const known = Buffer.from(expected, "hex");
  return known.length === key.length && timingSafeEqual(known, key);
}

/**
 * Does work that hashes for a caller from outside, or refuses at once when too many wait already: SERVICE_UNAVAILABLE with
 * Retry-After. The slot is taken before anything is looked up or written, so that a refusal reveals nothing and leaves
 * nothing behind.
 */
export async function withHashSlot<Result>(address: string, work: () => Promise<Result>): Promise<Result> {
  const heldHere = held.get(address) ?? 0;
  const slots = hashSlots({ workers: WORKERS, hashMs: averageMs });
  if (heldInAll >= (heldHere > 0 ? slots.ofAddress : slots.inAll)) {
    throw new DomainError("SERVICE_UNAVAILABLE", `${MESSAGES.limits.busy} ${retrySentence(RETRY_AFTER_SECONDS)}`, {
      reason: "busy",
      retryAfterSeconds: RETRY_AFTER_SECONDS,
    });
  }
  heldInAll += 1;
  held.set(address, heldHere + 1);
  try {
    return await work();
  } finally {
    heldInAll -= 1;
    const left = (held.get(address) ?? 1) - 1;
    if (left > 0) held.set(address, left);
    else held.delete(address);
  }
}

/** How many may be under way or wait, and how many of them when the address that asks holds one already. */
export function hashSlots({ workers, hashMs }: { workers: number; hashMs: number }) {
  const mayWait = Math.floor((MAX_WAIT_MS * workers) / hashMs);
  const inAll = workers + Math.min(MAX_WAITING, Math.max(MIN_WAITING, mayWait));
  return { inAll, ofAddress: Math.ceil(inAll * SHARE_OF_ADDRESS) };
}

async function measured<Result>(work: () => Promise<Result>): Promise<Result> {
  const startedAt = performance.now();
  const result = await work();
  averageMs += (performance.now() - startedAt - averageMs) / 5;
  return result;
}
