import { AUDIT_KINDS, INQUIRY_KINDS, PROJECT_STATUSES } from "@db/enums";
import { INQUIRY_TABS } from "@/features/inquiries/inquiry-tabs";
import { USER_TABS } from "@/features/users/user-tabs";
import { choice, id, optional, type RawSearch, text } from "@/lib/search";

const SECTIONS = ["projects", "users", "messages", "activity", "inquiries", "audit", "settings"] as const;
/** Characters of the project filter that an address carries. */
export const LONGEST_FILTER = 200;
/** Where in Settings the repository token stands, for the end of an address. */
export const TOKEN_ANCHOR = "repository-token";

export type AdminSection = (typeof SECTIONS)[number];
/** What the address says about /admin; a missing key is the default. */
export type AdminSearch = ReturnType<typeof readAdminSearch>;

/**
 * `?section=users&users=pending`, `?section=inquiries&inquiries=new&about=contact`; `?person=&kind=` are the filters of the audit; `?open=<id>,<id>&q=&status=` are the projects shown in full and the filters of their
 * list; `?c=` is the open conversation, `?to=` whom one begins to write to. Whatever is no section, subtab or status is dropped, and so are the defaults.
 */
export function readAdminSearch(search: RawSearch) {
  return optional({
    section: choice(search.section, SECTIONS, "projects"),
    users: choice(search.users, USER_TABS, "all"),
    inquiries: choice(search.inquiries, INQUIRY_TABS, "all"),
    about: choice(search.about, INQUIRY_KINDS),
    person: id(search.person),
    kind: choice(search.kind, AUDIT_KINDS),
    open: text(search.open),
    q: text(search.q, LONGEST_FILTER),
    status: choice(search.status, PROJECT_STATUSES),
    c: id(search.c),
    to: id(search.to),
  });
}

/** For links: changes some of the address and leaves the rest; a default never stands in it. */
export function withAdminSearch(changes: AdminSearch): (search: AdminSearch) => AdminSearch {
  return (search) => readAdminSearch({ ...search, ...changes });
}
