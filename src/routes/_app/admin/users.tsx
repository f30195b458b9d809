import { createFileRoute, Link } from "@tanstack/react-router";
import { Eye } from "lucide-react";
import { USER_TABS } from "@/features/users/user-tabs";
import { UsersSection } from "@/features/users/users-section";
import { choice, optional, type RawSearch } from "@/lib/search";
import { buttonStyle } from "@/ui/button-style";

export const Route = createFileRoute("/_app/admin/users")({
  validateSearch: ({ users }: RawSearch) => optional({ users: choice(users, USER_TABS, "all") }),
  component: UsersPage,
});

/** "Users Management": accounts and their approval. Spec 2, Users tab. */
function UsersPage() {
  const { users: tab = "all" } = Route.useSearch();
  const navigate = Route.useNavigate();
  return (
    <>
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <h1 tabIndex={-1} className="text-h1">
          Users Management
        </h1>
        <Link to="/admin/clients" className={buttonStyle()}>
          <Eye size={16} />
          See as a client
        </Link>
      </div>
      <div className="mt-4">
        <UsersSection
          tab={tab}
          onTabChange={(users) => void navigate({ search: (kept) => ({ ...kept, users }), resetScroll: false })}
        />
      </div>
    </>
  );
}
