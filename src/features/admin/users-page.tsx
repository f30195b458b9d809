import { getRouteApi, Link } from "@tanstack/react-router";
import { Eye } from "lucide-react";
import { UsersSection } from "@/features/users/users-section";
import { buttonStyle } from "@/ui/button-style";
import { withAdminSearch } from "./admin-search";

const route = getRouteApi("/admin");

/** "Users Management": who may come in, and as what. Spec 2, Users tab. */
export function UsersPage() {
  const { users: tab = "all" } = route.useSearch();
  const navigate = route.useNavigate();
  return (
    <>
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <h1 tabIndex={-1} className="text-h1">
          Users Management
        </h1>
        <Link to="/admin" search={{ section: "client-view" }} className={buttonStyle()}>
          <Eye size={16} />
          See as a client
        </Link>
      </div>
      <div className="mt-4">
        <UsersSection
          tab={tab}
          onTabChange={(users) => void navigate({ search: withAdminSearch({ users }), resetScroll: false })}
        />
      </div>
    </>
  );
}
