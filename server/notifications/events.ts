import type { NotificationChange } from "../contract/views";
import type { PageCursor } from "../core/cursor";
import { type Source, type StreamCall, sharedRead } from "../realtime/stream";
import { findNewNotifications } from "./queries";

type Reading = Awaited<ReturnType<typeof readInbox>> & { wasNotified: boolean };

/** What comes into the actor's inbox, and how many are unread whenever that changes, in whichever tab or device. */
export function notificationSource({
  db,
  actor,
}: Pick<StreamCall, "db" | "actor">): Source<Reading, NotificationChange> {
  return async (subscription) => {
    subscription.join(`notified:${actor.id}`);
    let known = await readInbox(db, { userId: actor.id, after: null });
    return {
      async read({ subjects }) {
        const reading = await readInbox(db, { userId: actor.id, after: known.newest });
        return { ...reading, wasNotified: subjects.has("notifications") };
      },
      *emit(reading) {
        const { arrived, unread, wasNotified } = reading;
        const isOther = unread - known.unread !== arrived.filter(({ readAt }) => readAt === null).length;
        known = reading;
        for (const notification of arrived) yield { notification, unread };
        // Some were read, are gone, were committed behind newer ones, or are more than one read takes: the list is to be read again.
        if (isOther || (arrived.length === 0 && wasNotified)) yield { notification: null, unread };
      },
    };
  };
}

/** Read once for all of a person's tabs. */
const readInbox = sharedRead(
  (db, asked: { userId: string; after: PageCursor | null }) => findNewNotifications(db, asked),
  ({ userId, after }) => [userId, after?.microseconds, after?.id].join(" "),
);
