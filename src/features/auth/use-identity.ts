import type { Me } from "@server/contract/views";
import { settleProof } from "@/lib/identity-proof";
import { trpc } from "@/lib/trpc";

/*
 * Second steps and proofs of identity: what /login does without until it is needed.
 */

/** The second step of a sign-in, after which it goes on as without one. */
export function useVerifyTwoFactor({ onSignedIn }: { onSignedIn: (user: Me) => Promise<void> }) {
  return trpc.auth.verifyTwoFactor.useMutation({ onSuccess: ({ user }) => onSignedIn(user) });
}

/** Proves who is signed in, so that the calls that wait for it go on. */
export function useConfirmIdentity() {
  return trpc.auth.confirmIdentity.useMutation({ onSuccess: () => settleProof(true) });
}

/** One's own two-factor sign-in. */
export function useTwoFactorStatus() {
  return trpc.auth.twoFactorStatus.useQuery();
}
