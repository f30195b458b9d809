import { getRouteApi } from "@tanstack/react-router";
import { AuditLog } from "@/features/audit/audit-log";
import { withAdminSearch } from "./admin-search";

const route = getRouteApi("/admin");

/** ?section=audit: who did what to whom. */
export function AuditPage() {
  const { person, kind } = route.useSearch();
  const navigate = route.useNavigate();
  return (
    <>
      <h1 tabIndex={-1} className="text-h1">
        Audit
      </h1>
      <div className="mt-4">
        <AuditLog
          filter={{ personId: person, kind }}
          onFilterChange={({ personId, kind: chosen }) =>
            void navigate({
              search: withAdminSearch({ person: personId, kind: chosen }),
              replace: true,
              resetScroll: false,
            })
          }
        />
      </div>
    </>
  );
}
