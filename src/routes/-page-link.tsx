import { Link, type LinkProps } from "@tanstack/react-router";
import type { ComponentProps } from "react";
import { NO_OVERLAYS } from "@/features/projects/overlay-search";
import { ShellBrandName } from "@/ui/app-shell";
import { BrandMark } from "@/ui/brand-mark";

type PageLinkProps = Pick<ComponentProps<"a">, "className" | "children" | "onClick"> & {
  to: NonNullable<LinkProps["to"]>;
  hash?: string;
  /** What of the address changes on the way. */
  changes?: Record<string, string | undefined>;
};

/**
 * Leads to a page of a shell. The rest of the address comes along, so that a tab or a month is found again; what lies over the
 * present page does not.
 */
export function PageLink({ to, changes, ...rest }: PageLinkProps) {
  return (
    <Link
      {...rest}
      to={to}
      params={{ conversationId: undefined }}
      search={(kept: object) => ({ ...kept, ...NO_OVERLAYS, to: undefined, ...changes })}
      activeOptions={{ exact: to.lastIndexOf("/") === 0, includeSearch: false }}
    />
  );
}

/** The mark with the name, leading to where the shell's person starts from. */
export function BrandLink({ to }: { to: "/dashboard" | "/admin" | "/client" }) {
  return (
    <Link to={to} activeOptions={{ exact: true }} className="flex items-center gap-2.5 rounded-control">
      <BrandMark />
      <ShellBrandName>Sangam</ShellBrandName>
    </Link>
  );
}
