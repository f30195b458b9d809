import type { InquiryKind } from "@db/enums";
import { INQUIRY_MESSAGES } from "@server/contract/messages/inquiries";
import type { InquiryPage } from "@server/contract/views";
import { Inbox } from "lucide-react";
import { useRef } from "react";
import { cn } from "@/lib/cn";
import { pageHeading } from "@/lib/page-focus";
import { useRowFocus } from "@/lib/use-row-focus";
import { useToday } from "@/lib/use-today";
import { Button } from "@/ui/button";
import { cardStyle } from "@/ui/card-style";
import { EmptyState } from "@/ui/empty-state";
import { PagedList } from "@/ui/paged-list";
import { Skeleton } from "@/ui/skeleton";
import { TabPanel, Tabs } from "@/ui/tabs";
import { InquiryCard } from "./inquiry-card";
import { INQUIRY_TABS, type InquiryTab } from "./inquiry-tabs";
import { type InquiryList, useInquiries, useInquiryCounts } from "./use-inquiries";

const TABS: Record<InquiryTab, { label: string; empty: string }> = {
  all: { label: "All", empty: INQUIRY_MESSAGES.empty },
  new: { label: "New", empty: "No new inquiries" },
  answered: { label: "Answered", empty: "No answered inquiries" },
  closed: { label: "Closed", empty: "No closed inquiries" },
};

type InquiriesSectionProps = {
  tab: InquiryTab;
  onTabChange: (tab: InquiryTab) => void;
  kind: InquiryKind | undefined;
  onKindClear: () => void;
};

/** Inquiries from the public pages, by status. */
export function InquiriesSection({ tab, onTabChange, kind, onKindClear }: InquiriesSectionProps) {
  const counts = useInquiryCounts(kind);
  return (
    <Tabs
      label="Inquiries by status"
      value={tab}
      onValueChange={onTabChange}
      tabs={INQUIRY_TABS.map((value) => ({ value, label: TABS[value].label, ...countOf(value, counts) }))}
    >
      {INQUIRY_TABS.map((value) => (
        <TabPanel key={value} value={value}>
          <InquiryPanel list={{ tab: value, kind }} onKindClear={onKindClear} />
        </TabPanel>
      ))}
    </Tabs>
  );
}

function InquiryPanel({ list, onKindClear }: { list: InquiryList; onKindClear: () => void }) {
  const inquiries = useInquiries(list);
  const section = useRef<HTMLDivElement>(null);
  useRowFocus(section, { rows: inquiries.items });
  // Past midnight "Today 10:42" becomes a date.
  useToday();
  const { label, empty } = TABS[list.tab];
  function clear(): void {
    onKindClear();
    // The button disappears with the filter.
    pageHeading()?.focus();
  }
  return (
    <div ref={section}>
      <PagedList
        list={inquiries}
        label="Loading inquiries"
        skeleton={<CardsSkeleton />}
        empty={
          <EmptyState
            icon={Inbox}
            message={empty}
            action={list.kind && <Button onClick={clear}>Clear filters</Button>}
          />
        }
      >
        {(items) => (
          <ul aria-label={`${label} inquiries`} className="grid grid-cols-1 gap-3">
            {items.map((inquiry) => (
              <InquiryCard key={inquiry.id} inquiry={inquiry} />
            ))}
          </ul>
        )}
      </PagedList>
    </div>
  );
}

function countOf(tab: InquiryTab, counts: InquiryPage["counts"] | undefined) {
  if (!counts) return {};
  const count = counts[tab];
  const tone = tab === "new" && count > 0 ? ("brand" as const) : undefined;
  return { count, countLabel: count === 1 ? "1 inquiry" : `${count} inquiries`, tone };
}

const SKELETON_ROWS = ["first", "second", "third", "fourth"];

/** Cards whose message has two lines. */
function CardsSkeleton() {
  return (
    <div className="grid gap-3">
      {SKELETON_ROWS.map((row) => (
        <div key={row} className={cn(cardStyle(), "h-[196px]")}>
          <div className="flex items-center justify-between">
            <Skeleton className="h-5 w-40" />
            <Skeleton className="h-6 w-20 rounded-pill" />
          </div>
          <Skeleton className="mt-2 h-3.5 w-56" />
          <Skeleton className="mt-5 h-4 w-4/5" />
          <Skeleton className="mt-2 h-4 w-3/5" />
        </div>
      ))}
    </div>
  );
}
