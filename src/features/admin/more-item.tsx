import { Link } from "@tanstack/react-router";
import { ArrowLeftRight, GitCommitHorizontal, LogOut, Mails, Menu, ScrollText } from "lucide-react";
import type { ComponentProps } from "react";
import { useSignOut } from "@/features/auth/use-auth";
import { ActionMenu } from "@/ui/action-menu";
import { BottomBarItem } from "@/ui/nav-item";
import { SectionLink } from "./section-link";

type MoreItemProps = { newInquiries: number };

/** The fifth place of a phone's bottom bar: what has no place of its own there. */
export function MoreItem({ newInquiries }: MoreItemProps) {
  const words = newInquiries === 1 ? "1 new inquiry" : `${newInquiries} new inquiries`;
  return (
    <BottomBarItem
      icon={Menu}
      label="More"
      count={newInquiries}
      countLabel={words}
      render={<MoreButton newInquiries={newInquiries} />}
    />
  );
}

function MoreButton({ newInquiries, ...props }: ComponentProps<"button"> & MoreItemProps) {
  const signOut = useSignOut();
  return (
    <ActionMenu
      label="More"
      trigger={<button {...props} type="button" />}
      entries={[
        {
          kind: "link",
          label: "Activity",
          icon: GitCommitHorizontal,
          render: <SectionLink to={{ section: "activity" }} />,
        },
        {
          kind: "link",
          label: newInquiries > 0 ? `Inquiries, ${newInquiries} new` : "Inquiries",
          icon: Mails,
          render: <SectionLink to={{ section: "inquiries", ...(newInquiries > 0 && { inquiries: "new" as const }) }} />,
        },
        { kind: "link", label: "Audit", icon: ScrollText, render: <SectionLink to={{ section: "audit" }} /> },
        { kind: "link", label: "Switch to Tasks", icon: ArrowLeftRight, render: <Link to="/dashboard" /> },
        { label: "Logout", icon: LogOut, disabled: signOut.isPending, onSelect: () => signOut.mutate() },
      ]}
    />
  );
}
