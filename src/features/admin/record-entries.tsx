import { Mails, ScrollText } from "lucide-react";
import { useInquiryCounts } from "@/features/inquiries/use-inquiries";
import type { AdminSearch, AdminSection } from "./admin-search";
import { SectionLink } from "./section-link";

/** The places of Inquiries and Audit in the menu. A phone has them under "More". */
export function useRecordEntries(section: AdminSection) {
  const waiting = useInquiryCounts()?.new ?? 0;
  return {
    inquiriesEntry: {
      icon: Mails,
      label: "Inquiries",
      count: waiting,
      countLabel: newInquiriesLabel(waiting),
      tone: "brand" as const,
      active: section === "inquiries",
      render: <SectionLink to={toInquiries(waiting)} />,
    },
    auditEntry: {
      icon: ScrollText,
      label: "Audit",
      active: section === "audit",
      render: <SectionLink to={{ section: "audit" }} />,
    },
  };
}

/** The number of new ones as part of a name. */
export function newInquiriesLabel(waiting: number): string {
  return `${waiting} new`;
}

/** Where the entry leads: while some are new to exactly those that its badge counts, of whatever kind. */
export function toInquiries(waiting: number): AdminSearch {
  return waiting > 0 ? { section: "inquiries", inquiries: "new", about: undefined } : { section: "inquiries" };
}
