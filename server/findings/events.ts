import type { FindingsChange } from "../contract/views";
import type { Actor } from "../core/context";
import { type Source, type StreamCall, sharedRead } from "../realtime/stream";
import { fingerprintCauses } from "./queries";

const CHANGED: Readonly<FindingsChange> = Object.freeze({ type: "changed" });

/**
 * Says when commits, repositories or live links of projects that the actor answers for have changed. Their projects and tasks
 * are followed as such, and days pass by themselves.
 */
export function findingSource({
  db,
  actor: opener,
}: Pick<StreamCall, "db" | "actor">): Source<boolean, FindingsChange> {
  return async (subscription) => {
    subscription.join("findings");
    subscription.join("repositories");
    let known = await readFingerprint(db, { actor: opener });
    return {
      async read() {
        const before = known;
        known = await readFingerprint(db, { actor: opener });
        return known !== before;
      },
      emit: (isOther) => (isOther ? [CHANGED] : []),
    };
  };
}

/** Read once for all of a person's tabs, and for all admins. */
const readFingerprint = sharedRead(
  (db, asked: { actor: Actor }) => fingerprintCauses(db, asked),
  ({ actor }) => (actor.accountType === "admin" ? "" : actor.id),
);
