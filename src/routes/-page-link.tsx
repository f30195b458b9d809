import { Link, type LinkProps, useNavigate, useRouter } from "@tanstack/react-router";
import { type ComponentProps, useCallback } from "react";
import { NO_OVERLAYS } from "@/features/projects/overlay-search";
import { onTop } from "@/lib/layers";
import { ShellBrandName } from "@/ui/app-shell";
import { BrandMark } from "@/ui/brand-mark";

/** The address of a page as its route is declared. */
export type PagePath = NonNullable<LinkProps["to"]>;

type PageLinkProps = Pick<ComponentProps<"a">, "className" | "children" | "onClick"> & {
  to: PagePath;
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

/** Goes to a page as `PageLink` does. Of another shell's address nothing comes along. */
export function useEnterPage() {
  const router = useRouter();
  const navigate = useNavigate();
  return useCallback(
    (to: PagePath, changes: { q?: string | undefined; tab?: string } = {}) => {
      const { pathname } = router.latestLocation;
      const isThere = pathname === to;
      void navigate({
        to,
        params: { conversationId: undefined },
        search: (before: object) => ({
          ...(isSameShell(to, pathname) ? before : {}),
          ...(isThere ? {} : { ...NO_OVERLAYS, to: undefined }),
          ...changes,
        }),
        state: onTop,
        resetScroll: !isThere,
        ignoreBlocker: isThere,
      });
    },
    [router, navigate],
  );
}

function isSameShell(one: string, other: string): boolean {
  return one.split("/")[1] === other.split("/")[1];
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
