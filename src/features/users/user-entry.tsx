import type { AccountStatus } from "@db/enums";
import { ACCOUNT_TYPE_LABELS } from "@server/contract/labels";
import type { AdminUser } from "@server/contract/views";
import { Link } from "@tanstack/react-router";
import { Check, Clock, type LucideIcon, Minus, X } from "lucide-react";
import { memo, type ReactNode } from "react";
import { formatDate, formatInstantLong } from "@/lib/format";
import { onTop } from "@/lib/layers";
import { rowMark } from "@/lib/use-row-focus";
import { Avatar } from "@/ui/avatar";
import { cardStyle } from "@/ui/card-style";
import { Chip } from "@/ui/chip";
import { Cell } from "@/ui/data-table";
import type { Tone } from "@/ui/tone";
import { useActionsUnderWay } from "./use-direct-actions";
import { type ChosenAction, isErased } from "./use-user-actions";
import { UnconfirmedChip, UserDecision } from "./user-decision";
import { UserMenu } from "./user-menu";

type UserEntryProps = {
  user: AdminUser;
  /** The admin's own account, which they cannot change here. */
  isOwn: boolean;
  layout: "row" | "card";
  /** In the list of pending accounts: shows Approve and Reject. */
  decidable: boolean;
  onChoose: (chosen: ChosenAction) => void;
  className?: string | undefined;
};

/** A person in the list. Memoized, since lists grow long: who has not changed is the same object in the next answer. */
export const UserEntry = memo(function UserEntry(props: UserEntryProps) {
  const { user, isOwn, layout: look, decidable, onChoose, className } = props;
  const underWay = useActionsUnderWay(user.id);
  const Layout = look === "row" ? UserRow : UserCard;
  if (decidable && user.accountStatus === "pending") {
    return (
      <UserDecision user={user} onReject={() => onChoose({ action: { kind: "reject" }, user })}>
        {({ isBusy, typeSelect, actions }) => (
          <Layout user={user} isBusy={isBusy} type={typeSelect} actions={actions} className={className} />
        )}
      </UserDecision>
    );
  }
  const hasMenu = !isOwn && user.accountStatus !== "pending" && !isErased(user);
  return (
    <Layout
      user={user}
      isBusy={underWay.length > 0}
      type={ACCOUNT_TYPE_LABELS[user.accountType]}
      mark={isOwn ? "(you)" : undefined}
      menu={hasMenu && <UserMenu user={user} underWay={underWay} onChoose={(action) => onChoose({ action, user })} />}
      className={className}
    />
  );
});

type LayoutProps = {
  user: AdminUser;
  type: ReactNode;
  /** After the name. */
  mark?: string | undefined;
  isBusy?: boolean;
  menu?: ReactNode;
  actions?: ReactNode;
  className?: string | undefined;
};

function UserRow({ user, type, mark, isBusy = false, menu, actions, className }: LayoutProps) {
  return (
    <tr aria-busy={isBusy} {...rowMark(user.id)} className={className}>
      <Cell heading>
        <span className="flex min-w-0 flex-1 items-center gap-2">
          <Avatar name={user.name} size={28} />
          <Name user={user} mark={mark} />
          {menu && <span className="ms-auto shrink-0">{menu}</span>}
        </span>
      </Cell>
      <Cell className="text-ink2">
        <span className="min-w-0 [overflow-wrap:anywhere]">
          <Email user={user} />
        </span>
      </Cell>
      <Cell className="text-ink2">{type}</Cell>
      <Cell>
        <AccountStatusChip user={user} isLink={!actions} />
      </Cell>
      <Cell className="whitespace-nowrap text-ink2">
        <CreatedAt at={user.createdAt} />
      </Cell>
      {actions && <Cell>{actions}</Cell>}
    </tr>
  );
}

function UserCard({ user, type, mark, isBusy = false, menu, actions, className }: LayoutProps) {
  return (
    <li aria-busy={isBusy} {...rowMark(user.id)} className={`${cardStyle()} aria-busy:opacity-65 ${className ?? ""}`}>
      <div className="grid grid-cols-[auto_minmax(0,1fr)_auto] items-center gap-x-3">
        <Avatar name={user.name} size={36} className="row-span-2 self-start" />
        <Name user={user} mark={mark} />
        <span className="flex items-center gap-1">
          <AccountStatusChip user={user} isLink={!actions} />
          {menu && <span className="-my-1 -me-2.5">{menu}</span>}
        </span>
        <span className="col-span-2 text-dense text-ink2 [overflow-wrap:anywhere]">
          <Email user={user} />
        </span>
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

function Name({ user, mark }: Pick<LayoutProps, "user" | "mark">) {
  return (
    <span className="min-w-0 font-medium [overflow-wrap:anywhere]">
      {user.name}
      {mark && <span className="font-normal text-ink3"> {mark}</span>}
    </span>
  );
}

function Email({ user }: Pick<LayoutProps, "user">) {
  if (isErased(user)) return <span className="text-ink3">erased</span>;
  return (
    <>
      {user.email}
      {user.accountStatus === "pending" && user.mobile && <Phone number={user.mobile} />}
      <UnconfirmedChip user={user} />
    </>
  );
}

/** Asked for at sign-up, and shown so that the deciding admin can call. */
function Phone({ number }: { number: string }) {
  return (
    <a
      href={`tel:${number.replace(/[^+\d]/g, "")}`}
      className="flex min-h-6 w-fit items-center whitespace-nowrap text-dense hover:text-ink hover:underline"
    >
      {number}
    </a>
  );
}

function CreatedAt({ at }: { at: string }) {
  return (
    <time dateTime={at} title={formatInstantLong(at)}>
      {formatDate(at)}
    </time>
  );
}

const STATUS_META: Record<AccountStatus, { tone: Tone; icon: LucideIcon }> = {
  pending: { tone: "orange", icon: Clock },
  active: { tone: "green", icon: Check },
  inactive: { tone: "grey", icon: Minus },
  rejected: { tone: "red", icon: X },
};

/** A pending person's chip links to Pending Approval, except in that tab. */
function AccountStatusChip({ user: { name, accountStatus }, isLink }: { user: AdminUser; isLink: boolean }) {
  const meta = { ...STATUS_META[accountStatus], label: accountStatus };
  if (accountStatus !== "pending" || !isLink) return <Chip {...meta} />;
  return (
    <Link
      to="/admin/users"
      search={(kept) => ({ ...kept, users: "pending" as const })}
      state={onTop}
      resetScroll={false}
      aria-label={`${accountStatus}, decide about ${name}`}
      className="group/chip rounded-pill"
    >
      <Chip {...meta} className="underline decoration-1 underline-offset-2 group-hover/chip:decoration-2" />
    </Link>
  );
}
