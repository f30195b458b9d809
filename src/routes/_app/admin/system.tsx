import { createFileRoute } from "@tanstack/react-router";
import { SystemOverview } from "@/features/system/system-overview";

export const Route = createFileRoute("/_app/admin/system")({ component: SystemPage });

/** What the servers are and do, and what an admin should see to. */
function SystemPage() {
  return (
    <>
      <h1 tabIndex={-1} className="text-h1">
        System
      </h1>
      <div className="mt-4">
        <SystemOverview />
      </div>
    </>
  );
}
