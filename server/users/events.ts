import { MESSAGES } from "../contract/messages";
import type { AccountChange } from "../contract/views";
import { DomainError } from "../core/errors";
import { openMailbox, openStream, type StreamCall } from "../realtime/stream";
import { fingerprintUsers } from "./queries";

/**
 * Accounts that were made or have changed, for admins: the lists are to be read again. A null id stands for any of them: after
 * a gap in the notifications it is known only that something is different.
 */
export async function watchAccounts({
  ctx,
  signal,
}: {
  ctx: StreamCall;
  signal: AbortSignal | undefined;
}): Promise<AsyncIterable<AccountChange>> {
  const mailbox = openMailbox(ctx, signal);
  mailbox.join("accounts");
  let known = await fingerprintUsers(ctx.db).catch((error: unknown) => {
    mailbox.close();
    throw error;
  });
  return openStream({
    ctx,
    mailbox,
    signal,
    async read({ subjects, resync }) {
      const before = known;
      known = await fingerprintUsers(ctx.db);
      const told = [...subjects].flatMap((subject) => (subject.startsWith("account:") ? [subject.slice(8)] : []));
      return resync && known !== before ? [...told, null] : told;
    },
    tell(userIds, actor) {
      if (actor.accountType !== "admin") throw new DomainError("FORBIDDEN", MESSAGES.general.notAllowed);
      return userIds.map((userId) => ({ userId }));
    },
  });
}
