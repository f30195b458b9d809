import { USER_MESSAGES } from "@server/contract/messages/users";
import { createFileRoute, Link, redirect, useRouter } from "@tanstack/react-router";
import { Eye, FolderKanban, Lightbulb, Lock, type LucideIcon, UserX, X } from "lucide-react";
import { lazy, type ReactNode, Suspense, useEffect, useEffectEvent, useState } from "react";
import { ClientPortal } from "@/features/projects/client-portal";
import { openIds, toggleOpen } from "@/features/projects/open-projects";
import { useProjects } from "@/features/projects/use-projects";
import { readRequestSearch } from "@/features/requests/request-search";
import { useClientView } from "@/features/users/use-users";
import { onTop } from "@/lib/layers";
import { followPage } from "@/lib/page-focus";
import { id, optional, type RawSearch, text } from "@/lib/search";
import { usePageSearch } from "@/lib/use-page-search";
import { codeOf, messageOf } from "@/lib/user-message";
import { announce } from "@/ui/announce";
import { Button } from "@/ui/button";
import { buttonStyle } from "@/ui/button-style";
import { Delayed } from "@/ui/delayed";
import { EmptyState } from "@/ui/empty-state";
import { ErrorState } from "@/ui/error-state";
import { Skeleton } from "@/ui/skeleton";

export const Route = createFileRoute("/_app/admin/clients/$clientId")({
  validateSearch: ({ open, request, requests }: RawSearch) =>
    optional({ ...readRequestSearch({ requests }), open: text(open), request: text(request) }),
  beforeLoad({ params }) {
    if (!id(params.clientId)) throw redirect({ to: "/admin/clients", replace: true });
  },
  component: ClientViewPage,
});

/** Fetched once it is looked at. */
const RequestsPage = lazy(() =>
  import("@/features/requests/requests-page").then((module) => ({ default: module.RequestsPage })),
);

function ClientViewPage() {
  const { clientId } = Route.useParams();
  return <ClientView key={clientId} clientId={clientId} />;
}

/** The portal exactly as the client sees it, under a bar that says so. Nothing can be sent from here. */
function ClientView({ clientId }: { clientId: string }) {
  const view = useClientView(clientId);
  const [isGone, setIsGone] = useState(false);
  return (
    <Delayed pending={view.isPending} label="Opening the portal" skeleton={<ClientViewSkeleton />}>
      {() => {
        // In one place, whichever answer says so first: a second one would lose the focus.
        if (isGone || (!view.person && codeOf(view.error) === "NOT_FOUND")) return <NoSuchClient />;
        if (view.person) {
          return <OpenedView clientId={clientId} name={view.person.name} onGone={() => setIsGone(true)} />;
        }
        return (
          <>
            <h1 tabIndex={-1} className="text-h1">
              See as a client
            </h1>
            <ErrorState message={messageOf(view.error)} busy={view.isFetching} onRetry={() => void view.refetch()} />
          </>
        );
      }}
    </Delayed>
  );
}

/** `onGone`: the person was a client when this was opened, and is none any more. */
function OpenedView({ clientId, name, onGone }: { clientId: string; name: string; onGone: () => void }) {
  const [{ open, request, requests }, change] = usePageSearch(Route);
  const { error } = useProjects({ scope: "mine", asClientId: clientId });
  const isGone = codeOf(error) === "NOT_FOUND";
  const reportGone = useEffectEvent(onGone);
  useEffect(() => {
    if (isGone) reportGone();
  }, [isGone]);
  return (
    <>
      <ViewBar name={name} />
      <PortalMenu shows={request === undefined ? "Projects" : "Requests"} />
      {request !== undefined && (
        <div className="mt-5">
          <Suspense>
            <RequestsPage side="client" openId={id(request)} status={requests} asClientId={clientId} />
          </Suspense>
        </div>
      )}
      {request === undefined && (
        <ClientPortal
          asClientId={clientId}
          open={openIds(open)}
          onToggle={(projectId) =>
            change.replace(({ open }: RawSearch) => ({ open: toggleOpen(text(open), projectId) }))
          }
        />
      )}
    </>
  );
}

/** Stays above the portal. */
function ViewBar({ name }: { name: string }) {
  return (
    <Bar>
      <h1 tabIndex={-1} className="min-w-0 flex-1 font-sans text-body tracking-normal [overflow-wrap:anywhere]">
        Viewing <bdi>{name}</bdi>'s portal, read-only
      </h1>
      <div className="flex shrink-0 items-center gap-1">
        <Link to="/admin/clients" className={buttonStyle({ variant: "quiet", size: "sm", className: "max-sm:hidden" })}>
          Choose another
        </Link>
        <CloseButton />
      </div>
    </Bar>
  );
}

function Bar({ children }: { children: ReactNode }) {
  useEffect(() => {
    // What takes the focus must not come to lie under it: styles.css.
    const { dataset } = document.documentElement;
    dataset.standingBar = "";
    return () => void delete dataset.standingBar;
  }, []);
  return (
    <section
      aria-label="Client view"
      className="sticky top-[60px] z-20 -mx-4 -mt-2 flex min-h-[52px] items-center gap-3 border-brand border-y bg-brand-soft px-4 py-1 sm:-mx-7 sm:px-7"
    >
      <Eye size={18} className="shrink-0 text-brand-text" />
      {children}
    </section>
  );
}

/** Back to the page before the portal was entered, or to Users when there is none. */
function CloseButton() {
  const { history } = useRouter();
  const navigate = Route.useNavigate();
  const [enteredAt] = useState(() => history.location.state.__TSR_index);
  function close(): void {
    const steps = history.location.state.__TSR_index - enteredAt + 1;
    if (enteredAt > 0 && steps > 0) history.go(-steps);
    else void navigate({ to: "/admin/users", replace: true });
  }
  return (
    <Button size="sm" icon={<X size={16} />} onClick={close}>
      Close
    </Button>
  );
}

type PortalPage = "Projects" | "Requests";

/** The client's own menu, without their messages. */
function PortalMenu({ shows }: { shows: PortalPage }) {
  return (
    <ul aria-label="The portal's menu" className="mt-4 flex flex-wrap items-center gap-x-5 gap-y-2 text-dense">
      <PortalEntry label="Projects" icon={FolderKanban} shows={shows} request={undefined} />
      <PortalEntry label="Requests" icon={Lightbulb} shows={shows} request="all" />
      <li className="flex items-center gap-2 py-1 text-ink2">
        <Lock size={16} className="shrink-0 text-ink3" />
        <span>
          Messages: <span className="text-ink3">only the people in a conversation can read it</span>
        </span>
      </li>
    </ul>
  );
}

type PortalEntryProps = { label: PortalPage; icon: LucideIcon; shows: PortalPage; request: string | undefined };

function PortalEntry({ label, icon: Icon, shows, request }: PortalEntryProps) {
  return (
    <li>
      <Link
        from={Route.fullPath}
        search={(kept) => ({ ...kept, request })}
        state={onTop}
        activeOptions={{ exact: true }}
        aria-current={label === shows ? "page" : undefined}
        className="flex min-h-9 items-center gap-2 border-transparent border-b-2 py-1 text-ink2 hover:text-ink aria-[current=page]:border-brand aria-[current=page]:font-medium aria-[current=page]:text-ink pointer-coarse:min-h-11"
      >
        <Icon size={16} className="shrink-0" />
        {label}
      </Link>
    </li>
  );
}

function NoSuchClient() {
  // It may take the place of an open portal: without a navigation, title and focus have to be moved to the new heading.
  useEffect(() => followPage(Route.id, announce), []);
  return (
    <>
      <h1 tabIndex={-1} className="text-h1">
        Client not found
      </h1>
      <EmptyState
        icon={UserX}
        message={USER_MESSAGES.clientNotFound}
        action={
          <Link to="/admin/clients" className={buttonStyle()}>
            Choose a client
          </Link>
        }
      />
    </>
  );
}

function ClientViewSkeleton() {
  return (
    <>
      <Skeleton className="-mx-4 -mt-2 h-[52px] sm:-mx-7" />
      <Skeleton className="mt-4 h-7 w-64" />
      <Skeleton className="mt-4 h-24 rounded-card" />
    </>
  );
}
