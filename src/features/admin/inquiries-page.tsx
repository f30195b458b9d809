import { getRouteApi } from "@tanstack/react-router";
import { InquiriesSection } from "@/features/inquiries/inquiries-section";
import { InquiryKindFilter } from "@/features/inquiries/inquiry-kind-filter";
import { withAdminSearch } from "./admin-search";

const route = getRouteApi("/admin");

/** ?section=inquiries: contacts and applications, answered from here. */
export function InquiriesPage() {
  const { inquiries: tab = "all", about: kind } = route.useSearch();
  const navigate = route.useNavigate();
  const choose = (about: typeof kind) =>
    void navigate({ search: withAdminSearch({ about }), replace: true, resetScroll: false });
  return (
    <>
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <h1 tabIndex={-1} className="text-h1">
          Inquiries
        </h1>
        <InquiryKindFilter kind={kind} onKindChange={choose} />
      </div>
      <div className="mt-4">
        <InquiriesSection
          tab={tab}
          onTabChange={(inquiries) => void navigate({ search: withAdminSearch({ inquiries }), resetScroll: false })}
          kind={kind}
          onKindClear={() => choose(undefined)}
        />
      </div>
    </>
  );
}
