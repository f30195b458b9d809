import { ORGANISATION_MESSAGES } from "@server/contract/messages/organisation";
import { trpc } from "@/lib/trpc";
import { toast } from "@/ui/toast";

/** The organisation's settings. */
export function useOrganisation() {
  return trpc.organisation.get.useQuery();
}

/** Admins: changes the organisation's settings. The form shows errors. */
export function useUpdateOrganisation() {
  const utils = trpc.useUtils();
  return trpc.organisation.update.useMutation({
    onSuccess(settings) {
      utils.organisation.get.setData(undefined, settings);
      toast.success(ORGANISATION_MESSAGES.saved);
      // Whether one's own two-factor sign-in is required.
      void utils.auth.twoFactorStatus.invalidate();
    },
  });
}
