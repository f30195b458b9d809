import type { UserCounts } from "@server/contract/views";
import { Users } from "lucide-react";
import { useEffect, useRef } from "react";
import { MAX_SEARCH_LENGTH } from "@/features/projects/board-search";
import { useRowFocus } from "@/lib/use-row-focus";
import { Button } from "@/ui/button";
import { EmptyState } from "@/ui/empty-state";
import { PagedList } from "@/ui/paged-list";
import { SearchInput } from "@/ui/search-input";
import { Skeleton } from "@/ui/skeleton";
import { TabPanel, Tabs } from "@/ui/tabs";
import { InvitationList } from "./invitation-list";
import { useInvitations } from "./use-invitations";
import { useUserCounts, useUsers } from "./use-users";
import { UserList } from "./user-list";
import { ACCOUNT_TABS, type AccountTab, USER_TABS, type UserTab } from "./user-tabs";

const TABS: Record<AccountTab, { label: string; empty: string }> = {
  all: { label: "All Users", empty: "No users yet" },
  pending: { label: "Pending Approval", empty: "Nobody is waiting for approval" },
  active: { label: "Active Users", empty: "No active users" },
  rejected: { label: "Rejected/Inactive", empty: "No rejected or inactive users" },
};

type UsersSectionProps = {
  tab: UserTab;
  onTabChange: (tab: UserTab) => void;
  /** A part of a name or an email. */
  filter: string;
  onFilterChange: (filter: string) => void;
  onInvite: () => void;
};

/** The subtabs of Users Management and the people in them. */
export function UsersSection({ tab, onTabChange, filter, onFilterChange, onInvite }: UsersSectionProps) {
  const counts = useUserCounts();
  const invited = useInvitations().items?.length;
  useFocusOnTab(tab);
  return (
    <Tabs
      label="Users by status"
      value={tab}
      onValueChange={onTabChange}
      tabs={USER_TABS.map((value) =>
        value === "invited"
          ? { value, label: "Invitations", ...(invited !== undefined && countIn(invited, "invitation")) }
          : { value, label: TABS[value].label, ...countOf(value, counts) },
      )}
    >
      {ACCOUNT_TABS.map((value) => (
        <TabPanel key={value} value={value}>
          <UserPanel tab={value} filter={filter} onFilterChange={onFilterChange} />
        </TabPanel>
      ))}
      <TabPanel value="invited">
        <InvitationList onInvite={onInvite} />
      </TabPanel>
    </Tabs>
  );
}

/** A link from one tab to another, such as a pending person's chip, disappears with its tab; the focus moves to the new tab. */
function useFocusOnTab(tab: UserTab): void {
  const shown = useRef(tab);
  useEffect(() => {
    if (shown.current === tab) return undefined;
    shown.current = tab;
    const frame = requestAnimationFrame(() => {
      const { activeElement: active } = document;
      if (active !== document.body && !active?.closest('[role="tabpanel"]')) return;
      document.querySelector<HTMLElement>('main [role="tab"][aria-selected="true"]')?.focus();
    });
    return () => cancelAnimationFrame(frame);
  }, [tab]);
}

type UserPanelProps = { tab: AccountTab; filter: string; onFilterChange: (filter: string) => void };

function UserPanel({ tab, filter, onFilterChange }: UserPanelProps) {
  const list = useUsers({ tab, filter });
  const section = useRef<HTMLDivElement>(null);
  const focusTarget = useRowFocus(section, { rows: list.items });
  function clearFilter(): void {
    onFilterChange("");
    // The pressed button disappears.
    section.current?.querySelector("input")?.focus();
  }
  return (
    <div ref={section}>
      <div className="mb-3.5 flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <SearchInput
          label="Filter by name or email"
          value={filter}
          maxLength={MAX_SEARCH_LENGTH}
          onChange={({ target }) => onFilterChange(target.value)}
          className="w-full sm:w-[300px]"
        />
        <p role="status" className="text-dense text-ink2">
          {list.items &&
            list.total !== undefined &&
            summaryOf({ tab, shown: list.items.length, total: list.total, filter, isPartial: list.more !== null })}
        </p>
      </div>
      <PagedList
        list={list}
        label="Loading users"
        skeleton={<UserListSkeleton />}
        empty={
          <EmptyState
            icon={Users}
            message={filter.trim() === "" ? TABS[tab].empty : "Nobody matches this filter"}
            action={filter.trim() !== "" && <Button onClick={clearFilter}>Clear filter</Button>}
          />
        }
      >
        {(users) => (
          <UserList users={users} caption={TABS[tab].label} decidable={tab === "pending"} focusTarget={focusTarget} />
        )}
      </PagedList>
    </div>
  );
}

function UserListSkeleton() {
  return (
    <div className="overflow-hidden rounded-card border border-line bg-raised">
      <div className="hidden h-10 bg-sunken sm:block" />
      {["a", "b", "c", "d", "e"].map((row) => (
        <div key={row} className="flex h-[52px] items-center gap-3 border-line border-t px-3">
          <Skeleton className="size-7 shrink-0 rounded-avatar" />
          <Skeleton className="h-3.5 w-32" />
          <Skeleton className="ms-8 hidden h-3.5 w-44 sm:block" />
          <Skeleton className="ms-auto h-6 w-20 rounded-pill" />
        </div>
      ))}
    </div>
  );
}

function countIn(count: number, what: string) {
  return { count, countLabel: count === 1 ? `1 ${what}` : `${count} ${what}s` };
}

function countOf(tab: AccountTab, counts: UserCounts | undefined) {
  if (!counts) return {};
  const count = counts[tab];
  const tone = tab === "pending" && count > 0 ? ("brand" as const) : undefined;
  return { count, countLabel: count === 1 ? "1 person" : `${count} people`, tone };
}

interface Summary {
  tab: AccountTab;
  shown: number;
  total: number;
  filter: string;
  isPartial: boolean;
}

function summaryOf({ tab, shown, total, filter, isPartial }: Summary): string {
  // The empty state says it already.
  if (total === 0) return "";
  const people = total === 1 ? "1 person" : `${total} people`;
  if (filter.trim() !== "" || isPartial) return `${shown} of ${people}`;
  return tab === "pending" ? `${people} pending` : people;
}
