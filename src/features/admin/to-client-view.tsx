import type { Person } from "@server/contract/views";
import { Link } from "@tanstack/react-router";
import { Eye } from "lucide-react";

/** From where a client is named to that client's portal, as the client sees it. */
export function ToClientView({ client: { id, name } }: { client: Pick<Person, "id" | "name"> }) {
  return (
    <Link
      to="/admin"
      search={{ section: "client-view", client: id }}
      aria-label={`See as this client, ${name}`}
      className="mt-0.5 flex min-h-6 w-fit items-center gap-1.5 rounded-check text-brand-text text-dense underline decoration-transparent underline-offset-3 hover:decoration-current pointer-coarse:min-h-9"
    >
      <Eye aria-hidden="true" size={16} strokeWidth={1.75} className="shrink-0" />
      See as this client
    </Link>
  );
}
