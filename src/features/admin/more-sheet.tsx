import { Link } from "@tanstack/react-router";
import { ArrowLeftRight, GitCommitHorizontal, LogOut, Mails, ScrollText } from "lucide-react";
import { useRef } from "react";
import { useSignOut } from "@/features/auth/use-auth";
import { Dialog } from "@/ui/dialog";
import { SheetEntry } from "@/ui/sheet-entry";
import type { AdminSearch, AdminSection } from "./admin-search";
import { newInquiriesLabel, toInquiries } from "./record-entries";
import { SectionLink } from "./section-link";

type MoreSheetProps = {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  section: AdminSection;
  newInquiries: number;
};

/** On a phone: the sections that have no place in the bottom bar, the tasks, and the way out. */
export function MoreSheet({ open, onOpenChange, section, newInquiries }: MoreSheetProps) {
  const signOut = useSignOut();
  const hasLeft = useRef(false);
  const link = (to: AdminSearch) => (
    <SectionLink
      to={to}
      aria-current={to.section === section ? "page" : undefined}
      onClick={() => {
        hasLeft.current = to.section !== section;
        onOpenChange(false);
      }}
    />
  );
  return (
    <Dialog
      open={open}
      onOpenChange={(next) => {
        hasLeft.current = false;
        onOpenChange(next);
      }}
      title="More"
      size="sheet"
      // A section gives the focus to its own heading.
      finalFocus={() => (hasLeft.current ? false : null)}
    >
      <ul className="-mx-2.5 grid gap-0.5">
        <SheetEntry icon={GitCommitHorizontal} label="Activity" render={link({ section: "activity" })} />
        <SheetEntry
          icon={Mails}
          label="Inquiries"
          count={newInquiries}
          countLabel={newInquiriesLabel(newInquiries)}
          render={link(toInquiries(newInquiries))}
        />
        <SheetEntry icon={ScrollText} label="Audit" render={link({ section: "audit" })} />
        <SheetEntry icon={ArrowLeftRight} label="Switch to Tasks" render={<Link to="/dashboard" />} />
        <SheetEntry
          icon={LogOut}
          label="Logout"
          render={
            <button
              type="button"
              aria-disabled={signOut.isPending}
              onClick={() => !signOut.isPending && signOut.mutate()}
            />
          }
        />
      </ul>
    </Dialog>
  );
}
