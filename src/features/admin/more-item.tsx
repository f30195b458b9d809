import { Menu } from "lucide-react";
import { lazy, Suspense, useState } from "react";
import { BottomBarItem } from "@/ui/nav-item";
import type { AdminSection } from "./admin-search";

const loadSheet = () => import("./more-sheet");
const MoreSheet = lazy(() => loadSheet().then((module) => ({ default: module.MoreSheet })));

const SECTIONS: readonly AdminSection[] = ["activity", "inquiries", "audit"];

type MoreItemProps = { section: AdminSection; newInquiries: number };

/** The fifth place of a phone's bottom bar: what has no place of its own there. */
export function MoreItem({ section, newInquiries }: MoreItemProps) {
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
        icon={Menu}
        label="More"
        count={newInquiries}
        countLabel={newInquiries === 1 ? "1 new inquiry" : `${newInquiries} new inquiries`}
        active={SECTIONS.includes(section)}
        render={<button type="button" aria-haspopup="dialog" onPointerEnter={preloadSheet} onClick={open} />}
      />
      {isNeeded && (
        <Suspense>
          <MoreSheet open={isOpen} onOpenChange={setOpen} section={section} newInquiries={newInquiries} />
        </Suspense>
      )}
    </>
  );
}

function preloadSheet(): void {
  // A failure here is told when it is opened.
  loadSheet().catch(() => undefined);
}
