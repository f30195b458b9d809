import { availableParallelism } from "node:os";
import { hashPassword as hash, verifyPassword as verify } from "better-auth/crypto";
import limit from "p-limit";

/**
 * A hash takes 75 ms of one core, off the event loop. One core is always left to everything else, so that people who read do
 * not wait behind people who sign in.
 */
const oneAfterAnother = limit(Math.max(1, availableParallelism() - 1));

/** scrypt with a salt of its own, as the auth library stores it. */
export function hashPassword(password: string): Promise<string> {
  return oneAfterAnother(() => hash(password));
}

/** Whether a password is the one that a hash was made of. */
export function verifyPassword(given: { password: string; hash: string }): Promise<boolean> {
  return oneAfterAnother(() => verify(given));
}
