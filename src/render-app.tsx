import { QueryClient } from "@tanstack/react-query";
import { createMemoryHistory } from "@tanstack/react-router";

import { createTRPCQueryUtils } from "@trpc/react-query";
import { observable } from "@trpc/server/observable";
import { renderToString } from "react-dom/server";
import { App, createAppRouter } from "./app";
import { seedFirstAnswers } from "./lib/first-answers";
import { trpc } from "./lib/trpc";
import { drawAtWidth } from "./lib/use-media";
import { ShellSkeleton } from "./ui/shell-skeleton";

const WIDTHS_REM = { phone: 24, computer: 80 };
const DRAWN = new Set(["/login", "/signup", "/dashboard", "/admin", "/client"]);
/** What is shown with times of day, which only the browser can tell in its own zone. */
const WITH_TIMES = new Set(["github,commits"]);
/** React writes it where a part failed, or waits for code. */
const UNDRAWN = "<!--$!-->";

/**
 * A page of the app as its script will draw it, for the time until that script runs: seen, but not yet to be used. Drawn from
 * what its document carries; it asks nobody. A page that cannot be drawn so is a frame with nothing in it.
 */
export async function renderApp({
  href,
  first,
  isPhone,
}: {
  href: string;
  first: string;
  isPhone: boolean;
}): Promise<string> {
  const content = (await renderPage({ href, first, isPhone })) ?? renderToString(<ShellSkeleton />);
  return `<div inert aria-hidden="true" class="noscript:hidden">${content}</div>`;
}

async function renderPage({ href, first, isPhone }: Parameters<typeof renderApp>[0]): Promise<string | null> {
  const history = createMemoryHistory({ initialEntries: [href] });
  const { pathname } = history.location;
  if (!DRAWN.has(pathname)) return null;
  // What is missing stays missing.
  const queryClient = new QueryClient({
    defaultOptions: { queries: { staleTime: "static", gcTime: Number.POSITIVE_INFINITY } },
  });
  const client = trpc.createClient({ links: [() => () => observable(() => undefined)] });
  try {
    seedFirstAnswers(first, { queryClient, cursors: { note: () => undefined } });
    queryClient.removeQueries({ predicate: ({ queryKey: [path] }) => WITH_TIMES.has(String(path)) });
    const api = createTRPCQueryUtils({ queryClient, client });
    const router = createAppRouter({ api, client, queryClient }, history);
    await router.load();
    // Led somewhere else.
    if (router.state.matches.length === 0) return null;
    const widthRem = isPhone ? WIDTHS_REM.phone : WIDTHS_REM.computer;
    const html = drawAtWidth(widthRem, () => renderToString(<App router={router} />));
    return html.includes(UNDRAWN) ? null : html;
  } finally {
    queryClient.clear();
  }
}
