import type { Person } from "@server/contract/views";
import { createFileRoute, Link } from "@tanstack/react-router";
import { ChevronRight, UserX } from "lucide-react";
import { useState } from "react";
import { useClients } from "@/features/users/use-users";
import { fold } from "@/lib/fold";
import { messageOf } from "@/lib/user-message";
import { Avatar } from "@/ui/avatar";
import { Button } from "@/ui/button";
import { buttonStyle } from "@/ui/button-style";
import { Delayed } from "@/ui/delayed";
import { EmptyState } from "@/ui/empty-state";
import { ErrorState } from "@/ui/error-state";
import { SearchInput } from "@/ui/search-input";
import { Skeleton } from "@/ui/skeleton";

export const Route = createFileRoute("/_app/admin/clients/")({
  loader: ({ context }) => void context.api.users.clients.prefetch(),
  component: ClientPicker,
});

/** From this many clients on, a filter is shown. */
const MANY = 8;
const LIST = "overflow-hidden rounded-card border border-line bg-raised";

/** Whose portal to view. Deactivated clients are left out; the Users tab leads to theirs. */
function ClientPicker() {
  const clients = useClients();
  return (
    <>
      <h1 tabIndex={-1} className="text-h1">
        See as a client
      </h1>
      <p className="mt-1 mb-4 max-w-[60ch] text-ink2">
        You see exactly what the client sees and can't change anything. The audit shows who has looked.
      </p>
      <div className="max-w-[600px]">
        <Delayed pending={clients.isPending} label="Loading clients" skeleton={<ClientsSkeleton />}>
          {() => {
            if (clients.data) return <Clients clients={clients.data} />;
            return (
              <ErrorState
                message={messageOf(clients.error)}
                busy={clients.isFetching}
                onRetry={() => void clients.refetch()}
              />
            );
          }}
        </Delayed>
      </div>
    </>
  );
}

function Clients({ clients }: { clients: readonly Person[] }) {
  const [filter, setFilter] = useState("");
  const shown = clients.filter(({ name }) => fold(name).includes(fold(filter.trim())));
  if (clients.length === 0) {
    return (
      <EmptyState
        icon={UserX}
        message="No active clients yet. You choose who is a client when you approve a sign-up."
        action={
          <Link to="/admin/users" search={{ users: "pending" }} className={buttonStyle()}>
            Review sign-ups
          </Link>
        }
      />
    );
  }
  return (
    <>
      {clients.length >= MANY && (
        <SearchInput
          label="Filter by name"
          value={filter}
          onChange={({ target }) => setFilter(target.value)}
          className="mb-3.5 w-full sm:w-[300px]"
        />
      )}
      {shown.length === 0 ? (
        <EmptyState
          icon={UserX}
          message="Nobody matches this filter"
          action={<Button onClick={() => setFilter("")}>Clear filter</Button>}
        />
      ) : (
        <ul aria-label="Clients" className={LIST}>
          {shown.map((client) => (
            <ClientLink key={client.id} client={client} />
          ))}
        </ul>
      )}
    </>
  );
}

function ClientLink({ client: { id, name, profileImgLink } }: { client: Person }) {
  return (
    <li className="border-line border-t first:border-t-0">
      <Link
        to="/admin/clients/$clientId"
        params={{ clientId: id }}
        className="flex min-h-[52px] items-center gap-3 px-3 py-2 transition-colors duration-90 ease-out hover:bg-hover focus-visible:-outline-offset-2 sm:px-4"
      >
        <Avatar name={name} src={profileImgLink} size={28} />
        <bdi className="min-w-0 flex-1 font-medium [overflow-wrap:anywhere]">{name}</bdi>
        <ChevronRight size={16} className="shrink-0 text-ink3" />
      </Link>
    </li>
  );
}

function ClientsSkeleton() {
  return (
    <div className={LIST}>
      {["a", "b", "c"].map((row) => (
        <div key={row} className="flex h-[52px] items-center gap-3 border-line border-t px-4 first:border-t-0">
          <Skeleton className="size-7 shrink-0 rounded-avatar" />
          <Skeleton className="h-4 w-40" />
        </div>
      ))}
    </div>
  );
}
