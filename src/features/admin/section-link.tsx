import { Link } from "@tanstack/react-router";
import { type AdminSearch, withAdminSearch } from "./admin-search";
import { preloadSection } from "./lazy-section";

type SectionLinkProps = { to: AdminSearch; "aria-current"?: "page" | undefined; onClick?: () => void };

/** Leads to a section, and leaves the rest of the address as it is. */
export function SectionLink({ to, ...rest }: SectionLinkProps) {
  const preload = () => preloadSection(to.section ?? "projects");
  return (
    <Link
      {...rest}
      from="/admin"
      to="/admin"
      search={withAdminSearch(to)}
      activeOptions={{ exact: true }}
      onPointerEnter={preload}
      onFocus={preload}
    />
  );
}
