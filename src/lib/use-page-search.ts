import { useNavigate } from "@tanstack/react-router";
import { useMemo } from "react";
import { onTop } from "./layers";
import type { RawSearch } from "./search";

/** What becomes different, or a function of the present search; a value of undefined leaves the address. */
type Changes<Search> = Search | ((kept: RawSearch) => Search);

/** The search of the open page, and how to change it. */
export function usePageSearch<Search extends object>(route: { useSearch: () => Search }) {
  return [route.useSearch(), useSearchChange<Search>()] as const;
}

/**
 * Changes the search of the open page. The rest of the address stays, and so does what lies over the page, with the way back
 * to before it was opened; what is typed there is not asked about. `push` makes a history entry, `replace` none; both
 * resolve once the page shows it. The object stays the same.
 */
export function useSearchChange<Search extends object>() {
  const navigate = useNavigate();
  return useMemo(() => {
    const target = (changes: Changes<Search>) =>
      ({
        to: ".",
        search: (kept: object): object => ({
          ...kept,
          ...(typeof changes === "function" ? changes({ ...kept }) : changes),
        }),
        resetScroll: false,
        ignoreBlocker: true,
      }) as const;
    return {
      push: (changes: Changes<Search>) => navigate({ ...target(changes), state: onTop }),
      replace: (changes: Changes<Search>) => navigate({ ...target(changes), state: true, replace: true }),
    };
  }, [navigate]);
}
