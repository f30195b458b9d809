import type { Db } from "../../db/client";
import { MESSAGES } from "../contract/messages";
import { DomainError } from "../core/errors";
import type { Subject, Topic } from "./notify";
import { openStream, type StreamCall } from "./stream";

/**
 * A stream for admins that tells when a list of theirs has to be read again: what `tell` makes of each subject that knocked,
 * and of null when notifications may have been lost and the fingerprint differs. An admin who is none any more: FORBIDDEN.
 */
export function watchForAdmins<Told>({
  ctx,
  signal,
  topic,
  fingerprint,
  tell,
}: {
  ctx: StreamCall;
  signal: AbortSignal | undefined;
  topic: Topic;
  /** A text that differs once anything in the list does. */
  fingerprint: (db: Db) => Promise<string>;
  /** Nothing for a subject that is not the list's, such as the watcher's own account. */
  tell: (subject: Subject | null) => Told[];
}): Promise<AsyncIterable<Told>> {
  return openStream({ ctx, signal }, async (mailbox) => {
    mailbox.join(topic);
    let known = await fingerprint(ctx.db);
    return {
      async read({ subjects, resync }) {
        const before = known;
        known = await fingerprint(ctx.db);
        const told = [...subjects].flatMap(tell);
        return resync && known !== before ? [...told, ...tell(null)] : told;
      },
      tell(told: Told[], actor) {
        if (actor.accountType !== "admin") throw new DomainError("FORBIDDEN", MESSAGES.general.notAllowed);
        return told;
      },
    };
  });
}
