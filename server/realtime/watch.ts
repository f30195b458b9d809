import type { Db } from "../../db/client";
import { MESSAGES } from "../contract/messages";
import { DomainError } from "../core/errors";
import type { Subject, Topic } from "./notify";
import type { Source, StreamCall } from "./stream";

/**
 * What admins follow of a list of theirs: emits when it has to be read again: what `eventsOf` returns for each notified subject,
 * and for null when the safety timer finds another fingerprint than it last did, also after a change that was notified. FORBIDDEN
 * once the actor is no admin any more.
 */
export function adminSource<Event>(
  { db }: Pick<StreamCall, "db">,
  {
    topic,
    fingerprint,
    eventsOf,
  }: {
    topic: Topic;
    /** A text that changes whenever anything in the list does. */
    fingerprint: (db: Db) => Promise<string>;
    /** Returns nothing for a subject outside the list, such as the watcher's own account. */
    eventsOf: (subject: Subject | null) => Event[];
  },
): Source<Event[], Event> {
  return async (subscription) => {
    subscription.join(topic);
    let known = await fingerprint(db);
    return {
      async read({ subjects, resync }) {
        const events = [...subjects].flatMap(eventsOf);
        // Only then: what a notification was lost of would pass for what another one was about.
        if (!resync) return events;
        const before = known;
        known = await fingerprint(db);
        return known === before ? events : [...events, ...eventsOf(null)];
      },
      emit(events, actor) {
        if (actor.accountType !== "admin") throw new DomainError("FORBIDDEN", MESSAGES.general.notAllowed);
        return events;
      },
    };
  };
}
