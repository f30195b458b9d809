import { QueryClientProvider } from "@tanstack/react-query";
import { createRouter, type RouterHistory, RouterProvider } from "@tanstack/react-router";
import { StrictMode } from "react";
import { useSession } from "./features/auth/use-auth";
import { parseSearch, stringifySearch } from "./lib/search";
import { isAuthPage, type RouterContext } from "./lib/session";
import { trpc } from "./lib/trpc";
import { messageOf } from "./lib/user-message";
import { routeTree } from "./routeTree.gen";
import { Delayed } from "./ui/delayed";
import { ErrorBox } from "./ui/error-box";
import { ShellSkeleton } from "./ui/shell-skeleton";

declare module "@tanstack/react-router" {
  interface Register {
    router: ReturnType<typeof createAppRouter>;
  }
}

/** The router of the app, for the browser's address or, with a `history`, for another one. */
export function createAppRouter(context: RouterContext, history?: RouterHistory) {
  return createRouter({
    routeTree,
    context,
    ...(history && { history }),
    parseSearch,
    stringifySearch,
    defaultPreload: "intent",
    // Loaders only start what their page asks for: once for as long as the page is open, then the page's own queries know better.
    defaultStaleTime: Number.POSITIVE_INFINITY,
    defaultPendingMs: 150,
    defaultPendingMinMs: 0,
    defaultPendingComponent: PendingPage,
    // It would be a script in what is drawn elsewhere.
    scrollRestoration: history === undefined,
  });
}

export type AppRouter = ReturnType<typeof createAppRouter>;

/** Everything that the browser shows of the app. */
export function App({ router }: { router: AppRouter }) {
  const { client, queryClient } = router.options.context;
  return (
    <StrictMode>
      <trpc.Provider client={client} queryClient={queryClient}>
        <QueryClientProvider client={queryClient}>
          <SignedPage router={router} />
        </QueryClientProvider>
      </trpc.Provider>
    </StrictMode>
  );
}

/** Until the code of a page has come, nothing stands where its heading will. */
function PendingPage() {
  return <div aria-busy="true" className="h-[30px]" />;
}

/** The app is drawn once it is known who is signed in: no flash of a page that is not theirs. */
function SignedPage({ router }: { router: AppRouter }) {
  const me = useSession();
  return (
    <Delayed
      pending={me.isPending}
      label="Loading"
      skeleton={isAuthPage(router.latestLocation.pathname) ? null : <ShellSkeleton />}
    >
      {() =>
        me.isLoadingError ? (
          <main className="grid min-h-dvh place-items-center">
            <ErrorBox message={messageOf(me.error)} busy={me.isFetching} onRetry={() => void me.refetch()} />
          </main>
        ) : (
          <RouterProvider router={router} />
        )
      }
    </Delayed>
  );
}
