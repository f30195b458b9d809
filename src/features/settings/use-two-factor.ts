import { trpc } from "@/lib/trpc";
import { codeOf } from "@/lib/user-message";
import { toast } from "@/ui/toast";

/** Begins to set up two-factor sign-in. Only this answer contains the secret and the codes. The form shows errors. */
export function useEnableTwoFactor() {
  const refresh = useRefresh();
  return trpc.auth.enableTwoFactor.useMutation({
    // The secret must not stay in the cache.
    gcTime: 0,
    onError: (error) => (codeOf(error) === "CONFLICT" ? refresh() : undefined),
  });
}

/** Turns two-factor sign-in on with the first code. The form shows errors. */
export function useConfirmTwoFactor() {
  const refresh = useRefresh();
  return trpc.auth.confirmTwoFactor.useMutation({
    async onSuccess() {
      toast.success("Two-factor sign-in is on.");
      await refresh();
    },
    onError: (error) => (codeOf(error) === "CONFLICT" ? refresh() : undefined),
  });
}

/** Turns two-factor sign-in off. The form shows errors. */
export function useDisableTwoFactor() {
  const refresh = useRefresh();
  return trpc.auth.disableTwoFactor.useMutation({
    async onSuccess() {
      toast.success("Two-factor sign-in is off.");
      await refresh();
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

/** Whether it is on, read again: another tab may have changed it. */
function useRefresh() {
  const utils = trpc.useUtils();
  return () => Promise.all([utils.auth.twoFactorStatus.invalidate(), utils.auth.me.invalidate()]);
}
