import { getRouteApi } from "@tanstack/react-router";
import { InquiriesSection } from "@/features/inquiries/inquiries-section";
import { withAdminSearch } from "./admin-search";

const route = getRouteApi("/admin");

/** ?section=inquiries: contacts and applications, answered from here. */
export function InquiriesPage() {
  const { inquiries: tab = "all" } = route.useSearch();
  const navigate = route.useNavigate();
  return (
    <>
      <h1 tabIndex={-1} className="text-h1">
        Inquiries
      </h1>
      <div className="mt-4">
        <InquiriesSection
          tab={tab}
          onTabChange={(inquiries) => void navigate({ search: withAdminSearch({ inquiries }), resetScroll: false })}
        />
      </div>
    </>
  );
}
