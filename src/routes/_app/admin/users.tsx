import { createFileRoute, Link } from "@tanstack/react-router";
import { Eye, UserPlus } from "lucide-react";
import { lazy, Suspense, useCallback, useState } from "react";
import { MAX_SEARCH_LENGTH } from "@/features/projects/board-search";
import { useOverlays } from "@/features/projects/use-overlays";
import { USER_TABS } from "@/features/users/user-tabs";
import { UsersSection } from "@/features/users/users-section";
import { pushed } from "@/lib/layers";
import { choice, optional, type RawSearch, text } from "@/lib/search";
import { useAddressText } from "@/lib/use-address-text";
import { usePageSearch } from "@/lib/use-page-search";
import { Button } from "@/ui/button";
import { buttonStyle } from "@/ui/button-style";

const load = () => import("@/features/users/invite-dialog");
const InviteDialog = lazy(() => load().then((module) => ({ default: module.InviteDialog })));
/** A failure shows when the dialog is opened. */
const preload = () => void load().catch(() => undefined);

export const Route = createFileRoute("/_app/admin/users")({
  validateSearch: ({ users, find, dialog }: RawSearch) =>
    optional({
      users: choice(users, USER_TABS, "all"),
      find: text(find, MAX_SEARCH_LENGTH),
      dialog: choice(dialog, ["invite"]),
    }),
  component: UsersPage,
});

/** "Users Management": accounts and their approval. Spec 2, Users tab. */
function UsersPage() {
  const [{ users: tab = "all", find = "", dialog }, change] = usePageSearch(Route);
  const navigate = Route.useNavigate();
  const write = useCallback((find: string) => change.replace({ find }), [change]);
  const [filter, setFilter] = useAddressText(find, write);
  const isInviting = dialog === "invite";
  // Stays while it closes.
  const [wasInviting, setInviting] = useState(isInviting);
  if (isInviting && !wasInviting) setInviting(true);
  const overlays = useOverlays();
  const openDialog = () =>
    void navigate({
      search: (kept) => ({ ...kept, dialog: "invite" as const }),
      state: ({ layers = {} }) => ({ layers: pushed(layers, "modal") }),
      resetScroll: false,
    });
  const closeDialog = () => overlays.close("modal", { search: { dialog: undefined } });
  return (
    <>
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <h1 tabIndex={-1} className="text-h1">
          Users Management
        </h1>
        <div className="flex flex-wrap gap-2">
          <Link to="/admin/clients" className={buttonStyle()}>
            <Eye size={16} />
            See as a client
          </Link>
          <Button
            variant="primary"
            icon={<UserPlus size={16} />}
            onClick={openDialog}
            onPointerEnter={preload}
            onFocus={preload}
          >
            Invite people
          </Button>
        </div>
      </div>
      <div className="mt-4">
        <UsersSection
          tab={tab}
          filter={filter}
          onFilterChange={setFilter}
          onTabChange={(users) => change.push({ users })}
          onInvite={openDialog}
        />
      </div>
      {wasInviting && (
        <Suspense>
          <InviteDialog open={isInviting} onClose={closeDialog} />
        </Suspense>
      )}
    </>
  );
}
