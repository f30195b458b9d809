import { AUDIT_KINDS } from "@db/event-kinds";
import { createFileRoute } from "@tanstack/react-router";
import { AuditLog } from "@/features/audit/audit-log";
import { choice, id, optional, type RawSearch, text } from "@/lib/search";
import { usePageSearch } from "@/lib/use-page-search";

export const Route = createFileRoute("/_app/admin/audit")({
  validateSearch: ({ person, kind }: RawSearch) => optional({ person: id(person), kind: kindOf(kind) }),
  component: AuditPage,
});

/** Who did what to whom. */
function AuditPage() {
  const [{ person, kind }, change] = usePageSearch(Route);
  return (
    <>
      <h1 tabIndex={-1} className="text-h1">
        Audit
      </h1>
      <div className="mt-4">
        <AuditLog
          filter={{ personId: person, kind: choice(kind, AUDIT_KINDS) }}
          onFilterChange={({ personId, kind: chosen }) => change.replace({ person: personId, kind: chosen })}
        />
      </div>
    </>
  );
}

/** Which kinds there are is left to the page: every page comes with what reads its address. */
function kindOf(value: unknown): string | undefined {
  const kind = text(value);
  return kind && /^[a-z-]+\.[a-z-]+$/.test(kind) ? kind : undefined;
}
