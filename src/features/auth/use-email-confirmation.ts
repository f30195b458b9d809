import { trpc } from "@/lib/trpc";

/** Confirms an address by the link that was sent to it. Signs nobody in. */
export function useConfirmEmail() {
  return trpc.auth.confirmEmail.useMutation();
}

/** Asks for another confirmation link; the answer is the same for every address. */
export function useResendConfirmation() {
  return trpc.auth.resendConfirmation.useMutation();
}
