import type { AuditChange } from "../contract/views";
import type { StreamCall } from "../realtime/stream";
import { adminSource } from "../realtime/watch";
import { fingerprintAudit } from "./queries";

/** Notifies admins of new audit entries. */
export function auditSource(ctx: Pick<StreamCall, "db">) {
  return adminSource<AuditChange>(ctx, {
    topic: "audit",
    fingerprint: fingerprintAudit,
    eventsOf: (subject) => (subject === null || subject === "audit" ? [{ hasGrown: true }] : []),
  });
}
