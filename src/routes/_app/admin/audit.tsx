import { AUDIT_KINDS } from "@db/enums";
import { createFileRoute } from "@tanstack/react-router";
import { AuditLog } from "@/features/audit/audit-log";
import { choice, id, optional, type RawSearch } from "@/lib/search";

export const Route = createFileRoute("/_app/admin/audit")({
  validateSearch: ({ person, kind }: RawSearch) => optional({ person: id(person), kind: choice(kind, AUDIT_KINDS) }),
  component: AuditPage,
});

/** Who did what to whom. */
function AuditPage() {
  const { person, kind } = Route.useSearch();
  const navigate = Route.useNavigate();
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
              search: (kept) => ({ ...kept, person: personId, kind: chosen }),
              replace: true,
              resetScroll: false,
            })
          }
        />
      </div>
    </>
  );
}
