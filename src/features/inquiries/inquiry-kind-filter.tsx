import { INQUIRY_KINDS, type InquiryKind } from "@db/enums";
import { Select } from "@/ui/select";

const LABELS: Record<InquiryKind, string> = { contact: "Contact form", application: "Applications" };

type InquiryKindFilterProps = {
  kind: InquiryKind | undefined;
  onKindChange: (kind: InquiryKind | undefined) => void;
};

/** One of the two forms, or both. */
export function InquiryKindFilter({ kind, onKindChange }: InquiryKindFilterProps) {
  return (
    <Select
      variant="button"
      aria-label="Filter by kind"
      value={kind ?? ""}
      onChange={({ target }) => onKindChange(INQUIRY_KINDS.find((one) => one === target.value))}
    >
      <option value="">All kinds</option>
      {INQUIRY_KINDS.map((one) => (
        <option key={one} value={one}>
          {LABELS[one]}
        </option>
      ))}
    </Select>
  );
}
