import { Menu } from "lucide-react";
import { lazy, Suspense, useState } from "react";
import type { MoreEntry } from "./more-sheet";
import { BottomBarItem } from "./nav-item";

const loadSheet = () => import("./more-sheet");
const MoreSheet = lazy(() => loadSheet().then((module) => ({ default: module.MoreSheet })));

type MoreItemProps = {
  /** What waits behind one of the entries. */
  count: number;
  countLabel: string;
  /** The page on screen is one of the entries. */
  active: boolean;
  entries: readonly MoreEntry[];
};

/** The last place of a phone's bottom bar: a sheet with what has no place of its own there. */
export function MoreItem({ entries, ...item }: MoreItemProps) {
  const [isOpen, setOpen] = useState(false);
  // Kept from the first opening on, so that it may close as gently as it opened.
  const [isNeeded, setNeeded] = useState(false);
  function open(): void {
    setNeeded(true);
    setOpen(true);
  }
  return (
    <>
      <BottomBarItem
        {...item}
        icon={Menu}
        label="More"
        render={<button type="button" aria-haspopup="dialog" onPointerEnter={preloadSheet} onClick={open} />}
      />
      {isNeeded && (
        <Suspense>
          <MoreSheet open={isOpen} onOpenChange={setOpen} entries={entries} />
        </Suspense>
      )}
    </>
  );
}

function preloadSheet(): void {
  // A failure shows when it is opened.
  loadSheet().catch(() => undefined);
}
