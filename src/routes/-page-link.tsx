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
  /** Changes to the address. */
  changes?: Record<string, string | undefined>;
};

/**
 * A link to a page of the same shell. Keeps the rest of the address, such as a tab or a month, but not what is open over the
 * page.
 */
export function PageLink({ to, changes, ...rest }: PageLinkProps) {
  return (
    <Link
      {...rest}
      to={to}
      params={{ conversationId: undefined }}
      search={(kept: object) => ({
        ...kept,
        ...NO_OVERLAYS,
        to: undefined,
        request: undefined,
        since: undefined,
        ...changes,
      })}
      activeOptions={{ exact: to.lastIndexOf("/") === 0, includeSearch: false }}
    />
  );
}

/** Opens a page as `PageLink` does. Between shells it keeps nothing of the address. */
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
          ...(isThere ? {} : { ...NO_OVERLAYS, to: undefined, request: undefined, since: undefined }),
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

/** The mark with the name: a link to the person's start page. */
export function BrandLink({ to }: { to: "/dashboard" | "/admin" | "/client" }) {
  return (
    <Link to={to} activeOptions={{ exact: true }} className="flex min-h-9 min-w-6 items-center gap-2.5 rounded-control">
      <BrandMark />
      <ShellBrandName>Sangam</ShellBrandName>
    </Link>
  );
}
