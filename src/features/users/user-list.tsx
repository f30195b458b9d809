import type { AdminUser } from "@server/contract/views";
import { lazy, Suspense, useCallback, useRef, useState } from "react";
import { useMe } from "@/features/auth/use-auth";
import { useMedia } from "@/lib/use-media";
import { DataTable, HeadCell } from "@/ui/data-table";
import type { ChosenAction } from "./use-user-actions";
import { useUserActions } from "./use-user-actions";
import { UserEntry } from "./user-entry";

const loadDialog = () => import("./user-action-dialog");
const UserActionDialog = lazy(() => loadDialog().then((module) => ({ default: module.UserActionDialog })));

type UserListProps = {
  users: readonly AdminUser[];
  caption: string;
  /** Pending people can be decided about. */
  decidable: boolean;
};

/** Where the columns no longer fit beside the open sidebar; with the buttons they need more. */
const NARROW = { plain: "(width < 56rem)", decidable: "(width < 70.5rem)" };
const COLUMNS = {
  plain: "minmax(0,10fr) minmax(0,12fr) 112px 132px 118px",
  decidable: "minmax(0,10fr) minmax(0,12fr) 124px 124px 108px 206px",
};
/** Above this, people out of sight are neither laid out nor painted. */
const MANY = 200;

/** A table; where it has no room, cards with the same fields. Design 3.7. */
export function UserList({ users, caption, decidable }: UserListProps) {
  const isNarrow = useMedia(decidable ? NARROW.decidable : NARROW.plain);
  const me = useMe();
  const { choose, dialog } = useChosenAction();
  const isLong = users.length > MANY;
  const skipped = isNarrow
    ? "[content-visibility:auto] [contain-intrinsic-height:auto_132px]"
    : "[content-visibility:auto] [contain-intrinsic-height:auto_52px]";
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

/** The one question of the list: what was chosen from a row's menu, until it is answered. An export asks nothing. */
function useChosenAction() {
  const act = useUserActions();
  const [chosen, setChosen] = useState<ChosenAction | null>(null);
  const [isOpen, setOpen] = useState(false);
  const position = useRef<ListPosition | null>(null);

  const choose = useCallback(
    (next: ChosenAction) => {
      if (next.action.kind === "export") {
        void act(next.action, next.user);
        return;
      }
      position.current = positionOf(next.user.id);
      setChosen(next);
      setOpen(true);
    },
    [act],
  );
  const dialog = chosen && (
    <Suspense>
      <UserActionDialog
        chosen={chosen}
        open={isOpen}
        onClose={() => setOpen(false)}
        finalFocus={() => controlNear(position.current)}
      />
    </Suspense>
  );
  return { choose, dialog };
}

type ListPosition = { userId: string; after: string[]; before: string[] };

/** Where a row stands among the rows on the screen, for when it will have left. */
function positionOf(userId: string): ListPosition {
  const ids = [...document.querySelectorAll<HTMLElement>("[data-user]")].map(({ dataset }) => dataset.user ?? "");
  const at = ids.indexOf(userId);
  return { userId, after: ids.slice(at + 1), before: ids.slice(0, at).reverse() };
}

/** The first control of that row, or of the nearest that is left; the heading when none is. */
function controlNear(position: ListPosition | null): HTMLElement | null {
  for (const id of position ? [position.userId, ...position.after, ...position.before] : []) {
    const control = document.querySelector<HTMLElement>(
      `[data-approve="${CSS.escape(id)}"],[data-user-menu="${CSS.escape(id)}"]`,
    );
    if (control) return control;
  }
  return document.querySelector<HTMLElement>("main h1");
}
