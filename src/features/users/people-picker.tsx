import type { Person } from "@server/contract/views";
import { Button } from "@/ui/button";
import type { ChipOption } from "@/ui/chips-combobox";

/* Shared by the pickers of people: their options, and their texts while the list is missing. */

type PeopleQuery = { isPending: boolean; isFetching: boolean; isLoadingError: boolean; refetch: () => unknown };

const ROLES: Record<Person["accountType"], string> = { user: "User", admin: "Admin", client: "Client" };

/** A person as a choice. */
export function personOption({ id, name, accountType, profileImgLink }: Person): ChipOption {
  return { value: id, label: name, description: ROLES[accountType], avatar: profileImgLink };
}

/** Placeholder for a chosen person who is not in the list, or not yet. */
export function absentLabel({ isPending, isLoadingError }: PeopleQuery): string {
  if (isPending) return "Loading…";
  return isLoadingError ? "Name not loaded" : "No longer available";
}

/** Shown under a picker whose list failed to load. */
export function Unread({ query }: { query: PeopleQuery }) {
  return (
    <span className="flex flex-wrap items-center gap-x-2 gap-y-1">
      The list could not be loaded; the rest can be saved.
      <Button size="sm" busy={query.isFetching} busyLabel="Loading..." onClick={() => void query.refetch()}>
        Retry
      </Button>
    </span>
  );
}
