import type { AccountChange } from "../contract/views";
import type { StreamCall } from "../realtime/stream";
import { adminSource } from "../realtime/watch";
import { fingerprintUsers } from "./queries";

/**
 * Accounts that were created or have changed, so that admins refetch their lists. A null id stands for any account: after a gap
 * in the notifications it is only known that something has changed.
 */
export function accountSource(ctx: Pick<StreamCall, "db">) {
  return adminSource<AccountChange>(ctx, {
    topic: "accounts",
    fingerprint: fingerprintUsers,
    eventsOf: (subject) => {
      if (subject === null) return [{ userId: null }];
      return subject.startsWith("account:") ? [{ userId: subject.slice("account:".length) }] : [];
    },
  });
}
