import { trpc } from "@/lib/trpc";
import { toast } from "@/ui/toast";

/** Begins to set up two-factor sign-in. Only this answer contains the secret and the codes. The form shows errors. */
export function useEnableTwoFactor() {
  // The secret must not stay in the cache.
  return trpc.auth.enableTwoFactor.useMutation({ gcTime: 0 });
}

/** Turns two-factor sign-in on with the first code. The form shows errors. */
export function useConfirmTwoFactor() {
  const utils = trpc.useUtils();
  return trpc.auth.confirmTwoFactor.useMutation({
    async onSuccess() {
      toast.success("Two-factor sign-in is on.");
      await Promise.all([utils.auth.twoFactorStatus.invalidate(), utils.auth.me.invalidate()]);
    },
  });
}

/** Turns two-factor sign-in off. The form shows errors. */
export function useDisableTwoFactor() {
  const utils = trpc.useUtils();
  return trpc.auth.disableTwoFactor.useMutation({
    async onSuccess() {
      toast.success("Two-factor sign-in is off.");
      await Promise.all([utils.auth.twoFactorStatus.invalidate(), utils.auth.me.invalidate()]);
    },
  });
}

/** New recovery codes in place of the former ones. Only this answer contains them. */
export function useRenewRecoveryCodes() {
  const utils = trpc.useUtils();
  return trpc.auth.renewRecoveryCodes.useMutation({
    gcTime: 0,
    onSuccess() {
      toast.success("The former recovery codes no longer work.");
      return utils.auth.twoFactorStatus.invalidate();
    },
  });
}
