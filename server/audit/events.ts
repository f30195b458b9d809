import type { AuditChange } from "../contract/views";
import type { StreamCall } from "../realtime/stream";
import { watchForAdmins } from "../realtime/watch";
import { fingerprintAudit } from "./queries";

/** Notifies admins of new audit entries. */
export function watchAudit(call: {
  ctx: StreamCall;
  signal: AbortSignal | undefined;
}): Promise<AsyncIterable<AuditChange>> {
  return watchForAdmins<AuditChange>({
    ...call,
    topic: "audit",
    fingerprint: fingerprintAudit,
    eventsOf: (subject) => (subject === null || subject === "audit" ? [{ hasGrown: true }] : []),
  });
}
