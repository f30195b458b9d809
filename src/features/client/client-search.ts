import { choice, optional, type RawSearch, text } from "@/lib/search";

const SECTIONS = ["projects", "settings"] as const;
const MOST_OPEN = 50;

/** `?section=settings`, and `?open=<id>,<id>`: the projects whose details are shown. */
export function readClientSearch(search: RawSearch) {
  return optional({ section: choice(search.section, SECTIONS, "projects"), open: text(search.open) });
}

/** The ids of `?open=`. */
export function openIds(open: string | undefined): string[] {
  return (open ?? "").split(",").filter(Boolean).slice(0, MOST_OPEN);
}
