import type { AuditChange } from "../contract/views";
import type { StreamCall } from "../realtime/stream";
import { watchForAdmins } from "../realtime/watch";
import { fingerprintAudit } from "./queries";

/** Tells admins that the audit has grown. */
export function watchAudit(call: {
  ctx: StreamCall;
  signal: AbortSignal | undefined;
}): Promise<AsyncIterable<AuditChange>> {
  return watchForAdmins<AuditChange>({
    ...call,
    topic: "audit",
    fingerprint: fingerprintAudit,
    tell: (subject) => (subject === null || subject === "audit" ? [{ hasGrown: true }] : []),
  });
}
