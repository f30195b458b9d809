import type { LucideIcon } from "lucide-react";
import { cloneElement, type MouseEvent, type ReactElement, type ReactNode, useRef } from "react";
import { CountBadge, countedName } from "./count-badge";
import { Dialog } from "./dialog";

export interface MoreEntry {
  icon: LucideIcon;
  label: string;
  count?: number | undefined;
  /** The count in words, part of the name: "3 new". */
  countLabel?: string | undefined;
  /** The empty link or button this becomes. */
  render: ReactElement<{
    className?: string;
    children?: ReactNode;
    "aria-label"?: string | undefined;
    onClick?: (event: MouseEvent<HTMLAnchorElement & HTMLButtonElement>) => void;
  }>;
}

type MoreSheetProps = { open: boolean; onOpenChange: (open: boolean) => void; entries: readonly MoreEntry[] };

/** On a phone: the pages and actions that have no place in the bottom bar. */
export function MoreSheet({ open, onOpenChange, entries }: MoreSheetProps) {
  const hasLeft = useRef(false);
  return (
    <Dialog
      open={open}
      onOpenChange={(next) => {
        hasLeft.current = false;
        onOpenChange(next);
      }}
      title="More"
      size="sheet"
      // A page, or what else opens, takes the focus itself.
      finalFocus={() => (hasLeft.current ? false : null)}
    >
      <ul className="-mx-2.5 grid gap-0.5">
        {entries.map((entry) => (
          <Entry
            key={entry.label}
            {...entry}
            onLeave={(isElsewhere) => {
              hasLeft.current = isElsewhere;
              onOpenChange(false);
            }}
          />
        ))}
      </ul>
    </Dialog>
  );
}

type EntryProps = MoreEntry & { onLeave: (isElsewhere: boolean) => void };

function Entry({ icon: Icon, label, count = 0, countLabel, render, onLeave }: EntryProps) {
  return (
    <li>
      {cloneElement(
        render,
        {
          "aria-label": count > 0 ? countedName(label, countLabel) : undefined,
          className:
            "flex h-12 w-full items-center gap-3 rounded-control px-2.5 text-start font-medium text-reading text-ink2 hover:bg-hover hover:text-ink aria-[current=page]:bg-raised aria-[current=page]:text-ink",
          onClick(event) {
            onLeave(event.currentTarget.ariaCurrent !== "page");
            render.props.onClick?.(event);
          },
        },
        <Icon size={20} className="shrink-0" />,
        label,
        " ",
        count > 0 && <CountBadge count={count} tone="brand" className="ms-auto" />,
      )}
    </li>
  );
}
