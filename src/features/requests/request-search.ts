import type { RequestStatus } from "@db/client-enums";
import { choice, id, optional, type RawSearch } from "@/lib/search";

/** Here and not of the database's list: routes read addresses, and every page loads what routes need. */
export const STATUSES = [
  "new",
  "asked",
  "accepted",
  "declined",
  "duplicate",
] as const satisfies readonly RequestStatus[];
export type Status = (typeof STATUSES)[number];

/** `?requests=asked` narrows the list, `?request=` opens one beside it. */
export function readRequestSearch({ request, requests }: RawSearch) {
  return optional({ request: id(request), requests: choice(requests, STATUSES) });
}
