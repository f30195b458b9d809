import type { AuditChange } from "../contract/views";
import type { Opening } from "../realtime/stream";
import { watchForAdmins } from "../realtime/watch";
import { fingerprintAudit } from "./queries";

/** Notifies admins of new audit entries. */
export function watchAudit(opening: Opening): Promise<AsyncIterable<AuditChange>> {
  return watchForAdmins<AuditChange>({
    ...opening,
    topic: "audit",
    fingerprint: fingerprintAudit,
    eventsOf: (subject) => (subject === null || subject === "audit" ? [{ hasGrown: true }] : []),
  });
}
