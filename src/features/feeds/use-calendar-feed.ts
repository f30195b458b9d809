import { trpc } from "@/lib/trpc";
import { messageOf } from "@/lib/user-message";
import { toast } from "@/ui/toast";

/** Since when one's calendar has an address. */
export function useCalendarFeed() {
  return trpc.feeds.calendar.useQuery(undefined, { staleTime: 0 });
}

/** Makes a new address, which only this answer contains. */
export function useCreateCalendar() {
  const utils = trpc.useUtils();
  return trpc.feeds.createCalendar.useMutation({
    onSuccess: async ({ createdAt }) => {
      // A read from before must not hide the new address.
      await utils.feeds.calendar.cancel();
      utils.feeds.calendar.setData(undefined, { createdAt });
    },
    onError: (error) =>
      toast.error("Failed to create the address. Please try again.", { description: messageOf(error) }),
  });
}

/** Ends the address. */
export function useRevokeCalendar() {
  const utils = trpc.useUtils();
  return trpc.feeds.revokeCalendar.useMutation({
    async onSuccess() {
      toast.success("Calendar address revoked");
      await utils.feeds.calendar.invalidate();
    },
    onError: (error) =>
      toast.error("Failed to revoke the address. Please try again.", { description: messageOf(error) }),
  });
}
