import { QueryClientProvider } from "@tanstack/react-query";
import { createRouter, RouterProvider } from "@tanstack/react-router";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { useSession } from "./features/auth/use-auth";
import { onConnectionReturn } from "./lib/connection";
import { createQueryClient } from "./lib/query-client";
import { parseSearch, stringifySearch } from "./lib/search";
import { endSession } from "./lib/session";
import { onOtherTab } from "./lib/session-channel";
import { createApi, trpc } from "./lib/trpc";
import { messageOf } from "./lib/user-message";
import { routeTree } from "./routeTree.gen";
import { Delayed } from "./ui/delayed";
import { ErrorState } from "./ui/error-state";
import { ShellSkeleton } from "./ui/shell-skeleton";

const queryClient = createQueryClient();
const { api, client } = createApi({ queryClient, onRefused: (notice) => void endSession(router, notice) });
const router = createRouter({
  routeTree,
  context: { api, queryClient },
  parseSearch,
  stringifySearch,
  defaultPreload: "intent",
  defaultPendingMs: 150,
  defaultPendingMinMs: 300,
  scrollRestoration: true,
});

declare module "@tanstack/react-router" {
  interface Register {
    router: typeof router;
  }
}

onConnectionReturn(() => void queryClient.invalidateQueries());
// Brought back by Back, just as it was left: whoever was signed in then may not be now.
window.addEventListener("pageshow", ({ persisted }) => persisted && void queryClient.invalidateQueries());
onOtherTab((userId) => {
  if ((api.auth.me.getData()?.id ?? null) === userId) return;
  if (userId === null) void endSession(router, "signed-out");
  // Somebody else's cookie is in this browser now: nothing of the page may stay.
  else window.location.reload();
});
void api.auth.me.prefetch();

const root = document.getElementById("root");
if (root) {
  createRoot(root).render(
    <StrictMode>
      <trpc.Provider client={client} queryClient={queryClient}>
        <QueryClientProvider client={queryClient}>
          <Gate />
        </QueryClientProvider>
      </trpc.Provider>
    </StrictMode>,
  );
}

/** The app is drawn once it is known who is signed in: no flash of a page that is not theirs. */
function Gate() {
  const me = useSession();
  const isDoor = /^\/(login|signup)\/?$/.test(window.location.pathname);
  return (
    <Delayed pending={me.isPending} label="Loading" skeleton={isDoor ? null : <ShellSkeleton />}>
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
