import { INQUIRY_KINDS } from "@db/enums";
import { createFileRoute } from "@tanstack/react-router";
import { InquiriesSection } from "@/features/inquiries/inquiries-section";
import { InquiryKindFilter } from "@/features/inquiries/inquiry-kind-filter";
import { INQUIRY_TABS } from "@/features/inquiries/inquiry-tabs";
import { choice, optional, type RawSearch } from "@/lib/search";
import { usePageSearch } from "@/lib/use-page-search";

export const Route = createFileRoute("/_app/admin/inquiries")({
  validateSearch: ({ inquiries, about }: RawSearch) =>
    optional({ inquiries: choice(inquiries, INQUIRY_TABS, "all"), about: choice(about, INQUIRY_KINDS) }),
  component: InquiriesPage,
});

/** Contacts and applications, answered from here. */
function InquiriesPage() {
  const [{ inquiries: tab = "all", about: kind }, change] = usePageSearch(Route);
  const choose = (about: typeof kind) => change.replace({ about });
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
          onTabChange={(inquiries) => change.push({ inquiries })}
          kind={kind}
          onKindClear={() => choose(undefined)}
        />
      </div>
    </>
  );
}
