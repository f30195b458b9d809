import type { AdminUser } from "@server/contract/views";
import { type ReactNode, useEffect, useRef } from "react";
import { formatInstant, formatInstantLong } from "@/lib/format";
import { useMedia } from "@/lib/use-media";
import { Avatar } from "@/ui/avatar";
import { cardStyle } from "@/ui/card-style";
import { Cell, DataTable, HeadCell } from "@/ui/data-table";
import { AccountStatusChip } from "./account-status-chip";
import { ACCOUNT_TYPE_LABELS, UserDecision } from "./user-decision";

type UserListProps = {
  users: readonly AdminUser[];
  caption: string;
  /** Pending people can be decided about. */
  decidable: boolean;
};

/** Where the columns no longer fit beside the open sidebar; with the buttons they need more. */
const NARROW = { plain: "(width < 40rem)", decidable: "(width < 70.5rem)" };

/** A table; where it has no room, cards with the same fields. Design 3.7. */
export function UserList({ users, caption, decidable }: UserListProps) {
  const isNarrow = useMedia(decidable ? NARROW.decidable : NARROW.plain);
  const onDecide = useFocusAfter(users);
  const rows = users.map((user) => {
    const Row = isNarrow ? UserCard : UserRow;
    return decidable && user.accountStatus === "pending" ? (
      <UserDecision key={user.id} user={user} onDecide={onDecide}>
        {({ isBusy, typeSelect, actions }) => <Row user={user} isBusy={isBusy} type={typeSelect} actions={actions} />}
      </UserDecision>
    ) : (
      <Row key={user.id} user={user} type={ACCOUNT_TYPE_LABELS[user.accountType]} />
    );
  });
  if (isNarrow) {
    return (
      <ul aria-label={caption} className="grid gap-3 sm:grid-cols-2">
        {rows}
      </ul>
    );
  }
  return (
    <DataTable
      caption={caption}
      head={
        <>
          <HeadCell>Name</HeadCell>
          <HeadCell>Email</HeadCell>
          <HeadCell>Account Type</HeadCell>
          <HeadCell>Account Status</HeadCell>
          <HeadCell>Created At</HeadCell>
          {decidable && <HeadCell>Actions</HeadCell>}
        </>
      }
    >
      {rows}
    </DataTable>
  );
}

type RowProps = { user: AdminUser; type: ReactNode; isBusy?: boolean; actions?: ReactNode };

function UserRow({ user, type, isBusy = false, actions }: RowProps) {
  return (
    <tr aria-busy={isBusy}>
      <Cell heading>
        <span className="flex min-w-28 items-center gap-2">
          <Avatar name={user.name} size={28} />
          <span className="font-medium [overflow-wrap:anywhere]">{user.name}</span>
        </span>
      </Cell>
      <Cell className="min-w-28 text-ink2 [overflow-wrap:anywhere]">{user.email}</Cell>
      <Cell className="text-ink2">{type}</Cell>
      <Cell>
        <AccountStatusChip status={user.accountStatus} />
      </Cell>
      <Cell className="whitespace-nowrap text-ink2">
        <CreatedAt at={user.createdAt} />
      </Cell>
      {actions && <Cell>{actions}</Cell>}
    </tr>
  );
}

function UserCard({ user, type, isBusy = false, actions }: RowProps) {
  return (
    <li aria-busy={isBusy} className={cardStyle()}>
      <div className="flex items-start gap-3">
        <Avatar name={user.name} size={36} />
        <div className="min-w-0 flex-1">
          <p className="font-medium [overflow-wrap:anywhere]">{user.name}</p>
          <p className="text-dense text-ink2 [overflow-wrap:anywhere]">{user.email}</p>
        </div>
        <AccountStatusChip status={user.accountStatus} />
      </div>
      <dl className="mt-3 grid grid-cols-2 gap-3">
        <div>
          <dt className="text-ink3 text-meta">Account Type</dt>
          <dd className="mt-0.5">{type}</dd>
        </div>
        <div>
          <dt className="text-ink3 text-meta">Created At</dt>
          <dd className="mt-0.5">
            <CreatedAt at={user.createdAt} />
          </dd>
        </div>
      </dl>
      {actions && <div className="mt-3 border-line border-t pt-3">{actions}</div>}
    </li>
  );
}

function CreatedAt({ at }: { at: Date }) {
  return (
    <time dateTime={at.toISOString()} title={formatInstantLong(at)}>
      {formatInstant(at)}
    </time>
  );
}

/** When a decided row takes the focus away with it: on to the next row's Approve, or to the heading when none is left. */
function useFocusAfter(users: readonly AdminUser[]): (userId: string) => void {
  const leaving = useRef<{ userId: string; nextId: string | undefined } | null>(null);
  useEffect(() => {
    const left = leaving.current;
    if (!left || users.some(({ id }) => id === left.userId)) return;
    leaving.current = null;
    if (document.activeElement !== document.body) return;
    const next = left.nextId && document.querySelector<HTMLElement>(`[data-approve="${CSS.escape(left.nextId)}"]`);
    (next || document.querySelector<HTMLElement>("h1"))?.focus();
  }, [users]);
  return (userId) => {
    const at = users.findIndex(({ id }) => id === userId);
    leaving.current = { userId, nextId: (users[at + 1] ?? users[at - 1])?.id };
  };
}
