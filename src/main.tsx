import { startTransition } from "react";
import { createRoot, hydrateRoot } from "react-dom/client";
import { App, type AppRouter, createAppRouter } from "./app";
import { continueDrawing, type Drawing } from "./lib/drawing";
import { takeFirstAnswers } from "./lib/first-answers";
import { guardReturn } from "./lib/page-return";
import { createQueryClient } from "./lib/query-client";
import { releasePage } from "./lib/release-page";
import { followOtherTab, handleEnd } from "./lib/session";
import { notifyOtherTabs, onOtherTab } from "./lib/session-channel";
import { createApi } from "./lib/trpc";
import { reportVitals } from "./lib/vitals";

void start();

/** In tasks of their own, as each takes long enough on a phone: the browser answers in between. The first has run the code of all files. */
async function start(): Promise<void> {
  await nextTask();
  const queryClient = createQueryClient();
  takeFirstAnswers(queryClient);
  await nextTask();
  const { api, client } = createApi({
    queryClient,
    session: {
      isExpected: () => Boolean(api.auth.me.getData()),
      onEnded: (reason) => handleEnd(router, reason),
      // Only pages behind sign-in need it, and have it.
      onIdentityRefused: (reason) =>
        import("./lib/identity-proof").then(({ handleIdentityRefusal }) => handleIdentityRefusal(router, reason)),
    },
  });
  await nextTask();
  const router = createAppRouter({ api, client, queryClient });
  await nextTask();
  reportVitals(() => queryClient.isFetching() > 0 || router.state.isLoading);
  guardReturn(router);
  onOtherTab((userId) => void followOtherTab(router, userId));
  void api.auth.me.prefetch().then(() => {
    // Who came in through Google did not pass the login form, which tells the other tabs.
    const me = api.auth.me.getData();
    if (me) notifyOtherTabs(me.id);
  });
  await nextTask();

  // What the document shows stays until the page itself can be drawn, unless it is not known yet whose it is.
  if (api.auth.me.getData() === undefined) draw(router);
  else void router.load().finally(() => setTimeout(() => takeOver(router)));
}

function nextTask(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve));
}

function draw(router: AppRouter): void {
  const root = document.getElementById("root");
  // As a transition: a page that comes without its drawing is not drawn in one long task.
  if (root) startTransition(() => createRoot(root).render(<App router={router} />));
}

/** Goes on with what the document shows, so that nothing of it is painted twice. What was drawn for another address is replaced. */
function takeOver(router: AppRouter): void {
  const drawn = document.querySelector<HTMLElement>("#root > [data-drawing]");
  const drawing: Drawing | null = JSON.parse(drawn?.dataset.drawing ?? "null");
  if (!drawn || drawing?.href !== router.latestLocation.href) {
    draw(router);
    return;
  }
  const endTakeOver = continueDrawing(drawing);
  // As for a router of the server: the same frames around the pages.
  router.ssr = { manifest: undefined };
  // As a transition and frame by frame, in small tasks: the browser answers in between.
  startTransition(() => void hydrateRoot(drawn, <App router={router} />));
  void releasePage(drawn).then(endTakeOver);
}
