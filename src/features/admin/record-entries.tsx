import { Mails, ScrollText } from "lucide-react";
import { useInquiryCounts } from "@/features/inquiries/use-inquiries";
import type { AdminSection } from "./admin-search";
import { SectionLink } from "./section-link";

/** The places of Inquiries and Audit in the menu. A phone has them under "More". */
export function useRecordEntries(section: AdminSection) {
  const waiting = useInquiryCounts()?.new ?? 0;
  return {
    inquiriesEntry: {
      icon: Mails,
      label: "Inquiries",
      count: waiting,
      countLabel: `${waiting} new`,
      tone: "brand" as const,
      active: section === "inquiries",
      render: <SectionLink to={{ section: "inquiries", ...(waiting > 0 && { inquiries: "new" as const }) }} />,
    },
    auditEntry: {
      icon: ScrollText,
      label: "Audit",
      active: section === "audit",
      render: <SectionLink to={{ section: "audit" }} />,
    },
  };
}
