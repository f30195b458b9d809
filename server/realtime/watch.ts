import type { Db } from "../../db/client";
import { MESSAGES } from "../contract/messages";
import { DomainError } from "../core/errors";
import type { Subject, Topic } from "./notify";
import { type Opening, openStream } from "./stream";

/**
 * A stream for admins that emits when a list of theirs has to be read again: what `eventsOf` returns for each notified subject,
 * and for null when notifications may have been lost and the fingerprint differs. FORBIDDEN once the actor is no admin any more.
 */
export function watchForAdmins<Event>({
  topic,
  fingerprint,
  eventsOf,
  ...opening
}: Opening & {
  topic: Topic;
  /** A text that changes whenever anything in the list does. */
  fingerprint: (db: Db) => Promise<string>;
  /** Returns nothing for a subject outside the list, such as the watcher's own account. */
  eventsOf: (subject: Subject | null) => Event[];
}): Promise<AsyncIterable<Event>> {
  return openStream(opening, async (subscription) => {
    subscription.join(topic);
    let known = await fingerprint(opening.ctx.db);
    return {
      async read({ subjects, resync }) {
        const before = known;
        known = await fingerprint(opening.ctx.db);
        const events = [...subjects].flatMap(eventsOf);
        return resync && known !== before ? [...events, ...eventsOf(null)] : events;
      },
      emit(events: Event[], actor) {
        if (actor.accountType !== "admin") throw new DomainError("FORBIDDEN", MESSAGES.general.notAllowed);
        return events;
      },
    };
  });
}
