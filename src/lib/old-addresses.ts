import { id, type RawSearch, stringifySearch } from "./search";

/** Before each page had a path, its name was in the search. The names are those of the paths today but for one. */
const OLD: Record<string, { param: "view" | "section"; pages: ReadonlySet<string> }> = {
  "/dashboard": {
    param: "view",
    pages: new Set(["tasks", "overview", "team", "calendar", "messages", "settings"]),
  },
  "/admin": {
    param: "section",
    pages: new Set(["users", "messages", "activity", "inquiries", "audit", "settings", "client-view"]),
  },
  "/client": { param: "section", pages: new Set(["messages", "settings"]) },
};

/**
 * Where an address of an earlier release leads today: `?view=`, `?section=`, `?c=` and `?client=` have become paths, the rest
 * of the search and the hash stay. Null for an address of today. Names that never existed lead to the first page.
 */
export function newAddress({
  pathname,
  search,
  hash,
}: {
  pathname: string;
  search: RawSearch;
  hash: string;
}): string | null {
  const old = OLD[pathname];
  if (!old) return null;
  const { [old.param]: name, c, client, ...rest } = search;
  if (name === undefined && c === undefined && client === undefined) return null;
  const page = typeof name === "string" && old.pages.has(name) ? name : undefined;
  return `${[pathname, ...segments(page, { c, client })].join("/")}${stringifySearch(rest)}${hash && `#${hash}`}`;
}

function segments(page: string | undefined, { c, client }: RawSearch): string[] {
  if (page === undefined) return [];
  const shown = page === "messages" ? id(c) : page === "client-view" ? id(client) : undefined;
  return [page === "client-view" ? "clients" : page, ...(shown ? [shown] : [])];
}
