import { USER_TABS } from "@/features/users/user-tabs";
import { choice, optional, type RawSearch } from "@/lib/search";

const SECTIONS = ["users", "settings"] as const;

/** `?section=settings`, `?users=pending`; whatever is no section or subtab is dropped, and so are the defaults. */
export function readAdminSearch(search: RawSearch) {
  return optional({
    section: choice(search.section, SECTIONS, "users"),
    users: choice(search.users, USER_TABS, "all"),
  });
}
