import type { Context } from "../core/context";

interface Attempt<Result> {
  /** Whose secret is tried; null when the secret names nobody, as a link does. */
  account: string | null;
  check: () => Promise<Result>;
  /** Whether what `check` throws is a wrong secret; anything else counts as nothing. */
  isWrong: (error: unknown) => boolean;
}

/**
 * Runs a check of a secret, counting only wrong ones: ten for one account from one address, fifty from one address. Who floods
 * an account from elsewhere keeps nobody else out of it. Each attempt is counted before it is checked and given back when it was
 * none, so that no two at once go past a limit together; once a limit is reached nothing is written.
 */
export async function countingFailures<Result>(
  { limits, address }: Pick<Context, "limits" | "address">,
  { account, check, isWrong }: Attempt<Result>,
): Promise<Result> {
  const pair = account === null ? null : `${account} ${address}`;
  await limits.check("signInFailureOfAddress", address);
  if (pair !== null) await limits.check("signInFailure", pair);
  await limits.consume("signInFailureOfAddress", address);
  try {
    if (pair !== null) await limits.consume("signInFailure", pair);
  } catch (error) {
    // Who runs into the narrow limit must not use up what the others behind the same address have.
    await limits.giveBack("signInFailureOfAddress", address);
    throw error;
  }
  const forgive = async () => {
    if (pair !== null) await limits.giveBack("signInFailure", pair);
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
