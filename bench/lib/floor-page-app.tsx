import type { AppRouter } from "@server/router";
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { createRootRoute, createRouter, RouterContextProvider } from "@tanstack/react-router";
import { httpBatchLink } from "@trpc/client";
import { createTRPCReact } from "@trpc/react-query";
import { startTransition } from "react";
import { hydrateRoot } from "react-dom/client";
import superjson from "superjson";
import { drawTrees } from "./floor-tree";

/*
 * The least that takes over a document on this stack: React, router, query cache and typed client are there, and plain elements
 * are hydrated, in tasks of their own as the app does it. No component, hook, listener, stream or request of ours.
 */

const trpc = createTRPCReact<AppRouter>();

void start();

async function start(): Promise<void> {
  await nextTask();
  const queryClient = new QueryClient();
  const client = trpc.createClient({ links: [httpBatchLink({ url: "/api/trpc", transformer: superjson })] });
  const router = createRouter({ routeTree: createRootRoute() });
  await nextTask();
  const root = document.getElementById("root");
  const tree = JSON.parse(document.getElementById("tree")?.textContent ?? "[]");
  if (!root) return;
  startTransition(() => {
    hydrateRoot(
      root,
      <trpc.Provider client={client} queryClient={queryClient}>
        <QueryClientProvider client={queryClient}>
          <RouterContextProvider router={router}>{drawTrees(tree)}</RouterContextProvider>
        </QueryClientProvider>
      </trpc.Provider>,
    );
  });
}

function nextTask(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve));
}
