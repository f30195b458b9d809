import type { AccountChange } from "../contract/views";
import type { StreamCall } from "../realtime/stream";
import { watchForAdmins } from "../realtime/watch";
import { fingerprintUsers } from "./queries";

/**
 * Accounts that were made or have changed, for admins: the lists are to be read again. A null id stands for any of them: after
 * a gap in the notifications it is known only that something is different.
 */
export function watchAccounts(call: {
  ctx: StreamCall;
  signal: AbortSignal | undefined;
}): Promise<AsyncIterable<AccountChange>> {
  return watchForAdmins<AccountChange>({
    ...call,
    topic: "accounts",
    fingerprint: fingerprintUsers,
    tell: (subject) => {
      if (subject === null) return [{ userId: null }];
      return subject.startsWith("account:") ? [{ userId: subject.slice("account:".length) }] : [];
    },
  });
}
