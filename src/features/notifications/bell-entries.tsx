import {
  describeNotification,
  groupBy,
  NOTIFICATION_MESSAGES,
  thingOf,
  titleOf,
} from "@server/contract/messages/notifications";
import type { Notification } from "@server/contract/views";
import type { PagedItems } from "@/lib/paged-list";
import type { MenuEntry } from "@/ui/menu-entry";
import { ThingLink } from "./thing-link";

/** So many things are listed; the rest is in the inbox. */
const MAX_SHOWN = 10;

type Newest = Pick<PagedItems<Notification>, "items" | "error" | "retry" | "isRetrying">;

/** What the bell's menu lists: the newest, each thing once, or why there is nothing. */
export function bellEntries({ items, error, retry, isRetrying }: Newest): MenuEntry[] {
  const nothing = (label: string): MenuEntry[] => [{ label, disabled: true, onSelect: () => {} }];
  if (!items && error !== null && !isRetrying)
    return [...nothing(NOTIFICATION_MESSAGES.loadFailed), { label: "Retry", onSelect: retry }];
  if (!items) return nothing("Loading...");
  const groups = groupBy(items, ({ subject }) => thingOf(subject));
  if (groups.length === 0) return nothing("You're all caught up");
  return groups.slice(0, MAX_SHOWN).map((group) => ({
    kind: "link",
    id: thingOf(group[0].subject),
    label: titleOf(group[0]),
    detail: describeNotification(group[0]),
    isUnread: group.some(({ readAt }) => readAt === null),
    render: <ThingLink group={group} />,
  }));
}
