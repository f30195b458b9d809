import { setImmediate as nextTurn } from "node:timers/promises";
import type { FirstAnswers } from "@server/contract/first-answers";
import { QueryClient } from "@tanstack/react-query";
import { createMemoryHistory } from "@tanstack/react-router";
import { createTRPCQueryUtils } from "@trpc/react-query";
import { observable } from "@trpc/server/observable";
import type { ReactNode } from "react";
import { renderToString } from "react-dom/server";
import { App, createAppRouter } from "./app";
import "./features/overview/start-page/overview-parts";
import { type Drawing, drawFor } from "./lib/drawing";
import { seedFirstAnswers } from "./lib/first-answers";
import { today } from "./lib/format";
import { trpc } from "./lib/trpc";
import { ShellSkeleton } from "./ui/shell-skeleton";

const WIDTHS_REM = { phone: 24, computer: 80 };
const DRAWN = new Set(["/login", "/signup", "/dashboard", "/admin", "/client"]);
/** React writes it where a part failed, or waits for code. */
const UNDRAWN = "<!--$!-->";

/**
 * A page of the app as its script will draw it, for the time until that script runs: seen, but not yet to be used. Drawn from
 * what its document carries, if that is wanted; it asks nobody. Else it is a frame with nothing in it.
 */
export async function renderApp({
  href,
  first,
  isPhone,
}: {
  href: string;
  first: string | null;
  isPhone: boolean;
}): Promise<string> {
  const drawing: Drawing = { href, widthRem: isPhone ? WIDTHS_REM.phone : WIDTHS_REM.computer, day: today() };
  const page = first === null ? null : await renderPage(drawing, first);
  return page ?? SKELETON;
}

async function renderPage(drawing: Drawing, first: string): Promise<string | null> {
  const history = createMemoryHistory({ initialEntries: [drawing.href] });
  if (!DRAWN.has(history.location.pathname)) return null;
  // What is missing stays missing.
  const queryClient = new QueryClient({
    defaultOptions: { queries: { staleTime: "static", gcTime: Number.POSITIVE_INFINITY } },
  });
  const client = trpc.createClient({ links: [() => () => observable(() => undefined)] });
  try {
    seedFirstAnswers(first, { queryClient, cursors: { note: () => undefined } });
    // Its script would ask for what is missing, and may have it before all is taken over.
    const { calls }: Pick<FirstAnswers<unknown>, "calls"> = JSON.parse(first);
    if (queryClient.getQueryCache().getAll().length < calls.length) return null;
    const api = createTRPCQueryUtils({ queryClient, client });
    const router = createAppRouter({ api, client, queryClient }, history);
    await router.load();
    // Led somewhere else.
    if (router.state.matches.length === 0) return null;
    const draw = () => drawFor(drawing, () => renderToString(frame(<App router={router} />, drawing)));
    const html = draw();
    if (!html.includes(UNDRAWN)) return html;
    // The first page of all with a part that has a file of its own. It was read with this one, but React learns so a moment later.
    await nextTurn();
    const again = draw();
    return again.includes(UNDRAWN) ? null : again;
  } finally {
    queryClient.clear();
  }
}

const SKELETON = renderToString(frame(<ShellSkeleton />));

/** What src/main.tsx takes over if it names what it was drawn for, else replaces. */
function frame(content: ReactNode, drawing?: Drawing) {
  return (
    <div inert aria-hidden="true" className="noscript:hidden" data-drawing={drawing && JSON.stringify(drawing)}>
      {content}
    </div>
  );
}
