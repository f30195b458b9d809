import type { LucideIcon } from "lucide-react";
import { cloneElement, type ReactElement, type ReactNode } from "react";
import { CountBadge, countedName } from "./count-badge";

type SheetEntryProps = {
  icon: LucideIcon;
  label: string;
  count?: number | undefined;
  /** The count in words, part of the name: "3 new". */
  countLabel?: string | undefined;
  /** The empty link or button this becomes. */
  render: ReactElement<{ className?: string; children?: ReactNode; "aria-label"?: string | undefined }>;
};

/** A line of a phone's "More" sheet, within a list. */
export function SheetEntry({ icon: Icon, label, count = 0, countLabel, render }: SheetEntryProps) {
  return (
    <li>
      {cloneElement(
        render,
        {
          "aria-label": count > 0 ? countedName(label, countLabel) : undefined,
          className:
            "flex h-12 w-full items-center gap-3 rounded-control px-2.5 text-start font-medium text-reading text-ink2 hover:bg-hover hover:text-ink aria-[current=page]:bg-raised aria-[current=page]:text-ink",
        },
        <Icon size={20} className="shrink-0" />,
        label,
        " ",
        count > 0 && <CountBadge count={count} tone="brand" className="ms-auto" />,
      )}
    </li>
  );
}
