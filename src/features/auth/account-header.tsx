import type { ReactNode } from "react";
import { ShellHeader } from "@/ui/app-shell";
import { Avatar } from "@/ui/avatar";
import { ThemeToggle } from "@/ui/theme-toggle";
import { useMe } from "./use-auth";

type AccountHeaderProps = {
  /** Stands here below 768 px, where there is no sidebar. */
  brand: ReactNode;
};

/** The bar over a screen without a search: who is signed in, and the theme. */
export function AccountHeader({ brand }: AccountHeaderProps) {
  const { displayName, profileImgLink } = useMe();
  return (
    <ShellHeader className="justify-end">
      <span className="me-auto md:hidden">{brand}</span>
      <span className="max-md:-me-2.5">
        <ThemeToggle />
      </span>
      <span className="flex min-w-0 items-center gap-2 font-medium max-md:hidden">
        <Avatar name={displayName} src={profileImgLink} />
        <bdi className="truncate">{displayName}</bdi>
      </span>
    </ShellHeader>
  );
}
