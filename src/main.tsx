import { QueryClientProvider } from "@tanstack/react-query";
import { createRouter, RouterProvider } from "@tanstack/react-router";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { useSession } from "./features/auth/use-auth";
import { catchUpOnReturn } from "./lib/live-sync";
import { guardReturn } from "./lib/page-return";
import { createQueryClient } from "./lib/query-client";
import { parseSearch, stringifySearch } from "./lib/search";
import { followOtherTab, handleEnd, isAuthPage } from "./lib/session";
import { notifyOtherTabs, onOtherTab } from "./lib/session-channel";
import { createApi, trpc } from "./lib/trpc";
import { messageOf } from "./lib/user-message";
import { reportVitals } from "./lib/vitals";
import { routeTree } from "./routeTree.gen";
import { Delayed } from "./ui/delayed";
import { ErrorState } from "./ui/error-state";
import { ShellSkeleton } from "./ui/shell-skeleton";

const queryClient = createQueryClient();
const { api, client } = createApi({
  queryClient,
  session: {
    isExpected: () => Boolean(api.auth.me.getData()),
    onEnded: (reason) => handleEnd(router, reason),
  },
});
const router = createRouter({
  routeTree,
  context: { api, client, queryClient },
  parseSearch,
  stringifySearch,
  defaultPreload: "intent",
  // Loaders only start what their page asks for: once for as long as the page is open, then the page's own queries know better.
  defaultStaleTime: Number.POSITIVE_INFINITY,
  defaultPendingMs: 150,
  defaultPendingMinMs: 0,
  defaultPendingComponent: PendingPage,
  scrollRestoration: true,
});

declare module "@tanstack/react-router" {
  interface Register {
    router: typeof router;
  }
}

reportVitals(() => queryClient.isFetching() > 0 || router.state.isLoading);
catchUpOnReturn(queryClient);
guardReturn(router);
onOtherTab((userId) => void followOtherTab(router, userId));
void api.auth.me.prefetch().then(() => {
  // Who came in through Google did not pass the login form, which tells the other tabs.
  const me = api.auth.me.getData();
  if (me) notifyOtherTabs(me.id);
});

const root = document.getElementById("root");
if (root) {
  createRoot(root).render(
    <StrictMode>
      <trpc.Provider client={client} queryClient={queryClient}>
        <QueryClientProvider client={queryClient}>
          <App />
        </QueryClientProvider>
      </trpc.Provider>
    </StrictMode>,
  );
}

/** Until the code of a page has come, nothing stands where its heading will. */
function PendingPage() {
  return <div aria-busy="true" className="h-[30px]" />;
}

/** The app is drawn once it is known who is signed in: no flash of a page that is not theirs. */
function App() {
  const me = useSession();
  return (
    <Delayed
      pending={me.isPending}
      label="Loading"
      skeleton={isAuthPage(window.location.pathname) ? null : <ShellSkeleton />}
    >
      {() =>
        me.isLoadingError ? (
          <main className="grid min-h-dvh place-items-center">
            <ErrorState message={messageOf(me.error)} busy={me.isFetching} onRetry={() => void me.refetch()} />
          </main>
        ) : (
          <RouterProvider router={router} />
        )
      }
    </Delayed>
  );
}
