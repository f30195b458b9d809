import { GENERAL_MESSAGES } from "@server/contract/messages/general";
import { Bell as BellIcon, Inbox } from "lucide-react";
import { type ReactElement, useState } from "react";
import { ActionMenu } from "@/ui/action-menu";
import { CountBadge } from "@/ui/count-badge";
import type { MenuEntry } from "@/ui/menu-entry";
import { useSteady } from "@/ui/steady";
import { useNotifications, useUnreadNotifications } from "./use-notifications";

type ListEntries = typeof import("./bell-entries").bellEntries;

const only = (label: string) => (): MenuEntry[] => [{ label, disabled: true, onSelect: () => {} }];

/** The bell in the header of every page: how many are unread, and a menu with the newest. `inbox` is an empty link to the inbox. */
export function Bell({ inbox }: { inbox: ReactElement }) {
  const unread = useUnreadNotifications();
  // They are read once the pointer or the focus comes near, and the code that lists them is fetched.
  const [isNear, setNear] = useState(false);
  const [entriesOf, setEntriesOf] = useState<ListEntries>(() => only("Loading..."));
  const newest = useSteady(useNotifications({ enabled: isNear }));
  function prepare(): void {
    setNear(true);
    import("./bell-entries").then(
      ({ bellEntries }) => setEntriesOf(() => bellEntries),
      // Once it has come it never fails again.
      () => setEntriesOf(() => only(GENERAL_MESSAGES.unreachable)),
    );
  }
  return (
    <span className="relative inline-flex">
      <ActionMenu
        label="Notifications"
        onNear={prepare}
        trigger={
          <button
            type="button"
            aria-label={unread > 0 ? `Notifications, ${unread} unread` : "Notifications"}
            className="inline-grid size-11 shrink-0 place-items-center rounded-control text-ink2 transition-colors duration-90 ease-out hover:bg-hover hover:text-ink pointer-fine:size-9"
          >
            <BellIcon size={18} aria-hidden="true" />
          </button>
        }
        entries={[
          { kind: "group", label: "Notifications", entries: entriesOf(newest) },
          { kind: "separator" },
          { kind: "link", label: "Open inbox", icon: Inbox, render: inbox },
        ]}
      />
      {unread > 0 && (
        <CountBadge
          count={unread}
          tone="brand"
          drawn
          className="pointer-events-none absolute -end-0.5 -top-0.5 h-4.5 min-w-4.5 px-1"
        />
      )}
    </span>
  );
}
