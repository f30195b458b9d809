import type { RequestChange } from "../contract/views";
import type { Actor } from "../core/context";
import { isVisibleTo } from "../projects/policy";
import { type Source, type StreamCall, sharedRead } from "../realtime/stream";
import { findRequestRow, fingerprintRequests, type RequestRow, showRequest } from "./queries";

interface Reading {
  rows: RequestRow[];
  /** Something has changed that no notification named. */
  isOther: boolean;
}

const SUBJECT = "request:";

/**
 * Requests that the actor sees, each as it is new or has changed. Null when the safety timer finds that one has changed since it last
 * looked, also one that was notified: what a notification was lost of would else pass for what another one was about.
 */
export function requestSource({
  db,
  actor: opener,
  timeZone,
}: Pick<StreamCall, "db" | "actor" | "timeZone">): Source<Reading, RequestChange> {
  return async (subscription) => {
    subscription.join("requests");
    let known = await readFingerprint(db, { actor: opener });
    return {
      async read({ subjects, resync }) {
        const before = known;
        if (resync) known = await readFingerprint(db, { actor: opener });
        const ids = [...subjects].flatMap((subject) =>
          subject.startsWith(SUBJECT) ? [subject.slice(SUBJECT.length)] : [],
        );
        // After the fingerprint: what changes in between is notified again.
        const found = await Promise.all(ids.map((id) => readRow(db, { id })));
        return { rows: found.filter((row) => row !== null), isOther: known !== before };
      },
      *emit({ rows, isOther }, actor) {
        for (const row of rows)
          if (isVisibleTo(actor, row.involvement)) yield { request: showRequest(row, { actor, timeZone }) };
        if (isOther) yield { request: null };
      },
    };
  };
}

/** Read once for all of a person's tabs, and for all admins. */
const readFingerprint = sharedRead(
  (db, asked: { actor: Actor }) => fingerprintRequests(db, asked),
  ({ actor }) => (actor.accountType === "admin" ? "" : actor.id),
);
const readRow = sharedRead(findRequestRow, ({ id }) => id);
