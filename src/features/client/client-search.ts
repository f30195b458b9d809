import { choice, id, optional, type RawSearch, text } from "@/lib/search";

const SECTIONS = ["projects", "messages", "settings"] as const;

/** What the address says about /client; a missing key is the default. */
export type ClientSearch = ReturnType<typeof readClientSearch>;

/**
 * `?section=settings`, and `?open=<id>,<id>`: the projects whose details are shown; `?c=` is the open conversation, `?to=`
 * whom one begins to write to.
 */
export function readClientSearch(search: RawSearch) {
  return optional({
    section: choice(search.section, SECTIONS, "projects"),
    open: text(search.open),
    c: id(search.c),
    to: id(search.to),
  });
}

/** For links: changes some of the address and leaves the rest; a default never stands in it. */
export function withClientSearch(changes: ClientSearch): (search: ClientSearch) => ClientSearch {
  return (search) => readClientSearch({ ...search, ...changes });
}
