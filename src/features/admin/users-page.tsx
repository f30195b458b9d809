import { getRouteApi } from "@tanstack/react-router";
import { UsersSection } from "@/features/users/users-section";
import { withAdminSearch } from "./admin-search";

const route = getRouteApi("/admin");

/** "Users Management": who may come in, and as what. Spec 2, Users tab. */
export function UsersPage() {
  const { users: tab = "all" } = route.useSearch();
  const navigate = route.useNavigate();
  return (
    <>
      <h1 tabIndex={-1} className="text-h1">
        Users Management
      </h1>
      <div className="mt-4">
        <UsersSection
          tab={tab}
          onTabChange={(users) => void navigate({ search: withAdminSearch({ users }), resetScroll: false })}
        />
      </div>
    </>
  );
}
