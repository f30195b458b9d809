import { Link } from "@tanstack/react-router";
import type { ComponentProps } from "react";
import { usePage } from "@/lib/use-page";
import { carriedTo, type PagePath } from "./-pages";

type PageLinkProps = Omit<ComponentProps<"a">, "href" | "ref"> & { to: PagePath };

/** Leads to a page of /dashboard with the rest of the address as it is. */
export function PageLink({ to, ...rest }: PageLinkProps) {
  const page = usePage();
  return (
    <Link
      {...rest}
      to={to}
      params={{ conversationId: undefined }}
      search={carriedTo(to, page)}
      activeOptions={{ exact: to === "/dashboard", includeSearch: false }}
    />
  );
}
