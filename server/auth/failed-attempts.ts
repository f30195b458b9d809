import type { Context } from "../core/context";
import { DomainError, ValidationError } from "../core/errors";

interface Attempt<Result> {
  /** Whose secret is tried; null when the secret names nobody, as a link does. */
  account: string | null;
  /** What counts wrong ones of an account: passwords by address too, codes wherever they come from. */
  limit?: "signInFailure" | "codeFailure";
  check: () => Promise<Result>;
  /** Whether what `check` throws is a wrong secret; anything else counts as nothing. */
  isWrong: (error: unknown) => boolean;
}

/**
 * Runs a check of a secret, counting only wrong ones: ten for one account from one address, fifty from one address; of codes ten for
 * one account. Who floods an account's password from elsewhere keeps nobody else out of it. Each attempt is counted before it is checked and given back when it was
 * none, so that no two at once go past a limit together; once a limit is reached nothing is written.
 */
export async function countingFailures<Result>(
  { limits, address }: Pick<Context, "limits" | "address">,
  { account, limit = "signInFailure", check, isWrong }: Attempt<Result>,
): Promise<Result> {
  const key = account === null || limit === "codeFailure" ? account : `${account} ${address}`;
  await limits.check("signInFailureOfAddress", address);
  if (key !== null) await limits.check(limit, key);
  await limits.consume("signInFailureOfAddress", address);
  try {
    if (key !== null) await limits.consume(limit, key);
  } catch (error) {
    // Who runs into the narrow limit must not use up what the others behind the same address have.
    await limits.giveBack("signInFailureOfAddress", address);
    throw error;
  }
  const forgive = async () => {
    if (key !== null) await limits.giveBack(limit, key);
    await limits.giveBack("signInFailureOfAddress", address);
  };
  try {
    const result = await check();
    await forgive();
    return result;
  } catch (error) {
    if (!isWrong(error)) await forgive();
    throw error;
  }
}

/** Whether an attempt failed because the password or code was wrong. */
export function isWrongSecret(error: unknown): boolean {
  return error instanceof ValidationError || (error instanceof DomainError && error.code === "UNAUTHORIZED");
}
