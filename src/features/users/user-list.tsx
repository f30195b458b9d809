import type { AdminUser } from "@server/contract/views";
import { lazy, Suspense, useCallback, useState } from "react";
import { useMe } from "@/features/auth/use-auth";
import { useMedia } from "@/lib/use-media";
import { DataTable, HeadCell } from "@/ui/data-table";
import { isDirect, useDirectActions } from "./use-direct-actions";
import type { ChosenAction } from "./use-user-actions";
import { UserEntry } from "./user-entry";

const loadDialog = () => import("./user-action-dialog");
const UserActionDialog = lazy(() => loadDialog().then((module) => ({ default: module.UserActionDialog })));

type UserListProps = {
  users: readonly AdminUser[];
  caption: string;
  /** Shows Approve and Reject for pending accounts. */
  decidable: boolean;
  /** Takes the focus when the dialog about a row is closed. */
  focusTarget: () => HTMLElement | null;
};

/** Below these widths the columns do not fit beside the open sidebar; the buttons need more room. */
const NARROW = { plain: "(width < 56rem)", decidable: "(width < 70.5rem)" };
const COLUMNS = {
  plain: "minmax(0,10fr) minmax(0,12fr) 112px 132px 118px",
  decidable: "minmax(0,10fr) minmax(0,12fr) 124px 124px 108px 206px",
};
/** From this many people on, those out of view are not rendered. */
const MANY = 200;
/** Usual heights without the padding. */
const SKIPPED = {
  row: "[content-visibility:auto] [contain-intrinsic-height:auto_52px]",
  card: "[content-visibility:auto] [contain-intrinsic-height:auto_93px]",
  decisionCard: "[content-visibility:auto] [contain-intrinsic-height:auto_185px]",
};

/** A table, or cards with the same fields where there is no room. Design 3.7. */
export function UserList({ users, caption, decidable, focusTarget }: UserListProps) {
  const isNarrow = useMedia(decidable ? NARROW.decidable : NARROW.plain);
  const me = useMe();
  const { choose, dialog } = useChosenAction(focusTarget);
  const isLong = users.length > MANY;
  const skipped = isNarrow ? SKIPPED[decidable ? "decisionCard" : "card"] : SKIPPED.row;
  const entries = users.map((user) => (
    <UserEntry
      key={user.id}
      user={user}
      isOwn={user.id === me.id}
      layout={isNarrow ? "card" : "row"}
      decidable={decidable}
      onChoose={choose}
      className={isLong ? skipped : undefined}
    />
  ));
  if (isNarrow) {
    return (
      <>
        <ul aria-label={caption} className="grid gap-3 sm:grid-cols-2">
          {entries}
        </ul>
        {dialog}
      </>
    );
  }
  return (
    <>
      <DataTable
        caption={caption}
        columns={decidable ? COLUMNS.decidable : COLUMNS.plain}
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
        {entries}
      </DataTable>
      {dialog}
    </>
  );
}

/** The confirmation dialog of the list, for the action chosen in a row's menu. An export and an invitation need none. */
function useChosenAction(focusTarget: () => HTMLElement | null) {
  const act = useDirectActions();
  const [chosen, setChosen] = useState<ChosenAction | null>(null);
  const [isOpen, setOpen] = useState(false);

  const choose = useCallback(
    (next: ChosenAction) => {
      if (isDirect(next.action.kind)) {
        void act(next.action.kind, next.user);
        return;
      }
      setChosen(next);
      setOpen(true);
    },
    [act],
  );
  const dialog = chosen && (
    <Suspense>
      <UserActionDialog
        key={`${chosen.user.id} ${chosen.action.kind}`}
        chosen={chosen}
        open={isOpen}
        onClose={() => setOpen(false)}
        finalFocus={focusTarget}
      />
    </Suspense>
  );
  return { choose, dialog };
}
